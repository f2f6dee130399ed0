// Nothing to call: what is linked with this has its definitions before those of the libraries.
