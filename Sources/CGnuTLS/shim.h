#include <gnutls/gnutls.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>

/* gnutls_free is a global variable that a program may change, so Swift code must not access it. */
static inline void gnutls_release(void *memory) { gnutls_free(memory); }
