import Curl

extension CurlHandle {
  /// Prepares a request to a URL that a user names. The peer decides to which addresses it connects. libcurl follows no
  /// redirects by default.
  func prepare(
    _ url: String, connectSeconds: Int, wholeMilliseconds: Int
  ) throws(CurlError) {
    try checkAddresses()
    try set(.protocols, "http,https")
    try set(.url, url)
    try set(.version, .http11)
    try set(.proxy, "")
    try set(.userAgent, "MemeMe")
    try set(.connectSeconds, connectSeconds)
    try set(.wholeMilliseconds, wholeMilliseconds)
    try set(.endsAtOnce, true)
    try set(.keepsDots, true)
  }
}
