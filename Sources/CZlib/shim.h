#include <zlib.h>

// deflateInit2 is a macro. A window of 32 KiB, and gzip's frame around it.
static inline int gzip_begin(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
