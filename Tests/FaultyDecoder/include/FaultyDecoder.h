// Has no functions to call: this library replaces a function of libjpeg.
