#include <zlib.h>

// deflateInit2 is a macro, so Swift does not import it. Uses a window of 32 KiB and gzip framing.
static inline int gzip_begin(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
