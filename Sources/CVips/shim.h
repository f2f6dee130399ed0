#include <gmodule.h>
#include <vips/vips.h>

// Swift does not import the macros for GLib's types.
static const GType mememe_type_string = G_TYPE_STRING;
static const GType mememe_type_int = G_TYPE_INT;
static const GType mememe_type_double = G_TYPE_DOUBLE;
