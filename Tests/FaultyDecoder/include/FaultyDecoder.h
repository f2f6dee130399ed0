// Nothing to call: it stands in the place of a function of libjpeg.
