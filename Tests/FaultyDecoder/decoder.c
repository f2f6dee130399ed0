// A decoder that fails at pictures of some widths, as one that a picture has taken over, or that does not end.
#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Start(void *decoder);

// Where libjpeg's jpeg_decompress_struct has its image_width: behind five pointers and two numbers.
static unsigned width(const void *decoder) {
  unsigned value;
  memcpy(&value, (const char *)decoder + 5 * sizeof(void *) + 2 * sizeof(int), sizeof value);
  return value;
}

static void fill_memory(void) {
  for (;;) {
    volatile char *memory = malloc(64 << 20);
    if (!memory) abort();
    for (size_t place = 0; place < 64 << 20; place += 4096) memory[place] = 1;
  }
}

// Writes behind its answer, until it must not any more.
static void write_on(void) {
  static const char bytes[1 << 20];
  while (write(5, bytes, sizeof bytes) > 0) {
  }
  abort();
}

__attribute__((visibility("default"))) int jpeg_start_decompress(void *decoder) {
  volatile int zero = 0;
  volatile int *nothing = NULL;
  switch (width(decoder)) {
    case 661: *nothing = 1; break;
    case 662: abort();
    case 663: return 1 / zero;
    case 664:
      for (;;) zero++;
    case 665:
      for (;;) sleep(3600);
    case 666: fill_memory(); break;
    case 667: write_on(); break;
    // Ends as if all were well, in the middle of a job.
    case 668: _exit(0);
  }
  return ((Start *)dlsym(RTLD_NEXT, "jpeg_start_decompress"))(decoder);
}
#endif
