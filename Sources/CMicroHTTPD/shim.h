#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Receives the log lines of libmicrohttpd, on any thread. */
struct mhd_line_logger {
  void *context;
  void (*write)(void *context, const char *line);
};

static inline void mhd_log_line(void *logger, const char *format, va_list arguments) {
  struct mhd_line_logger *const lines = logger;
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  lines->write(lines->context, line);
}

/* The option that sets the logger, which must outlive the daemon. Swift cannot define functions with a va_list. */
static inline struct MHD_OptionItem mhd_logger_option(struct mhd_line_logger *logger) {
  struct MHD_OptionItem item = {
      MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)&mhd_log_line, logger};
  return item;
}

/* MHD_get_connection_info with a fixed number of arguments, because Swift does not import variadic functions. */
static inline const union MHD_ConnectionInfo *mhd_connection_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type) {
  return MHD_get_connection_info(connection, type);
}

/* Ends the connection after the response, without chunked encoding. MHD_set_response_options is variadic. */
static inline void mhd_end_with_response(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* MHD_SIZE_UNKNOWN, MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR. Swift does not import macros with casts. */
static const uint64_t MHD_LENGTH_UNKNOWN = MHD_SIZE_UNKNOWN;
static const ssize_t MHD_STREAM_END = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t MHD_STREAM_ERROR = MHD_CONTENT_READER_END_WITH_ERROR;
