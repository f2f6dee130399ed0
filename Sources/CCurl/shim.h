#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* Enumerators in some versions of libcurl, macros in others. */
static const long curl_tls_if_offered = CURLUSESSL_TRY;
static const long curl_tls_always = CURLUSESSL_ALL;
static const long curl_http_11 = CURL_HTTP_VERSION_1_1;

/* curl_easy_setopt is variadic, so Swift cannot call it. These functions have fixed parameters. */

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

/* The callbacks of a transfer. All of them get the same context. */
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

/* Closes sockets on exec, because child processes would hold the connections open. Leaves little unsent data in the
   kernel: data that waits there for minutes, on a slow network, hides the real progress of the transfer. */
static inline CURLcode curl_prepare_sockets(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, curl_prepare_socket);
}

/* Whether the transfer may connect to this address. Gets the context of the callbacks. */
typedef int (*curl_address_check)(void *context, const struct sockaddr *address);

struct curl_opening {
  curl_address_check check;
  void *context;
};

static curl_socket_t curl_open_checked(
    void *opening, curlsocktype purpose, struct curl_sockaddr *address) {
  const struct curl_opening *checked = opening;
  (void)purpose;
  if (!checked->check(checked->context, &address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype, address->protocol);
}

/* Checks each address just before libcurl connects to it, after the name was resolved. The opening must outlive the
   transfer. */
static inline CURLcode curl_check_addresses(CURL *handle, struct curl_opening *opening) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, curl_open_checked);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, opening) : code;
}

/* The last response status; 0 if the server sent no response. */
static inline long curl_last_status(CURL *handle) {
  long status = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
