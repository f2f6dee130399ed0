// Has no functions to call. In a program that links this library, its definitions precede those of other libraries.
