#include <vips/vips.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Swift does not see the macros that name GLib's types.
static const GType mememe_type_string = G_TYPE_STRING;
static const GType mememe_type_int = G_TYPE_INT;
static const GType mememe_type_double = G_TYPE_DOUBLE;

#if defined(__GLIBC__)
// There where a sanitizer has put its own heap in the place of the library's, which was never set up then.
extern void __tsan_init(void) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));
#endif

// Swift does not see malloc.h, which is of the GNU C library alone.
static inline void mememe_malloc_trim(void) {
#if defined(__GLIBC__)
  if (!__tsan_init && !__asan_init) malloc_trim(0);
#endif
}
