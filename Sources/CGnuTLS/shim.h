#include <gnutls/gnutls.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>

/* gnutls_free is a variable that a program may set, and so nothing that Swift may touch. */
static inline void gnutls_release(void *memory) { gnutls_free(memory); }
