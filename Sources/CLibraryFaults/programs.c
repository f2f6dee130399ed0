// Programs of Orc are made and freed one at a time.
//
// libvips scales pictures with machine code that Orc makes for each. Orc 0.4.33, Debian 12's, keeps the places of all programs in
// one list, and frees one without a lock: a render thread that lets go of a scaled picture changes the list while another one
// walks it, or splits a place that was just freed (docs/decisions/0041). libvips has a lock around the making alone.
//
// Both are calls from libvips into another library, so the program's own definitions stand before Orc's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <vips/vips.h>

#if VIPS_MAJOR_VERSION == 8 && VIPS_MINOR_VERSION < 16
typedef int Compile(void *program);
typedef void Free(void *program);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((visibility("default"))) int orc_program_compile(void *program) {
  pthread_mutex_lock(&lock);
  int result = ((Compile *)dlsym(RTLD_NEXT, "orc_program_compile"))(program);
  pthread_mutex_unlock(&lock);
  return result;
}

__attribute__((visibility("default"))) void orc_program_free(void *program) {
  pthread_mutex_lock(&lock);
  ((Free *)dlsym(RTLD_NEXT, "orc_program_free"))(program);
  pthread_mutex_unlock(&lock);
}
#endif
