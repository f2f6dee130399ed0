// Serializes the compilation and the freeing of Orc programs.
//
// libvips scales pictures with machine code that Orc compiles for each of them. Orc 0.4.33 (Debian 12) keeps the code
// regions of all programs in one list, and frees a program without a lock. A render thread that frees a scaled picture
// then changes the list while another thread walks it, or splits a region that was just freed (docs/decisions/0041).
// libvips locks only the compilation.
//
// libvips calls both functions in another library, so the definitions of the program precede those of Orc.
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
