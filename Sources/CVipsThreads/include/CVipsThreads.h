// Nothing to call: the program has what is needed by being linked with threads.c.
