#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* Enumerations in one version of libcurl, macros in another. */
static const long curl_tls_if_offered = CURLUSESSL_TRY;
static const long curl_tls_always = CURLUSESSL_ALL;
static const long curl_http_11 = CURL_HTTP_VERSION_1_1;

/* curl_easy_setopt takes any number of arguments of any type, which Swift cannot call: here is one function for each type. */

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

static inline CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t size) {
  return curl_easy_setopt(handle, option, size);
}

static inline CURLcode curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

/* What a transfer calls, each with the same context. */
struct curl_callbacks {
  curl_prereq_callback begin;
  curl_read_callback send;
  curl_write_callback head;
  curl_write_callback body;
};

static inline CURLcode curl_set_callbacks(
    CURL *handle, struct curl_callbacks callbacks, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callbacks.begin);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, callbacks.send);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callbacks.head);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callbacks.body);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  return code;
}

static int curl_prepare_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)purpose;
#ifdef TCP_NOTSENT_LOWAT
  int bytes = 64 << 10;
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
#endif
  return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

/* Programs that this one starts do not get its connections, which they would hold open. And no more is given to the system than
   it can soon send: what lies there for minutes, on a slow network, looks like silence from here, and like progress. */
static inline CURLcode curl_prepare_sockets(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, curl_prepare_socket);
}

/* The last status that the server answered with; 0 where it answered nothing. */
static inline long curl_last_status(CURL *handle) {
  long status = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
