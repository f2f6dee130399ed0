// For dladdr.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <gmodule.h>
#include <vips/vips.h>

// Swift does not import the macros for GLib's types.
static const GType mememe_type_string = G_TYPE_STRING;
static const GType mememe_type_int = G_TYPE_INT;
static const GType mememe_type_double = G_TYPE_DOUBLE;

// The file of the loaded libvips; NULL if unknown.
static inline const char *mememe_vips_file(void) {
  Dl_info library;
  return dladdr((const void *)vips_init, &library) ? library.dli_fname : NULL;
}
