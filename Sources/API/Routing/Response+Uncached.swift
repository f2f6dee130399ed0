import HTTP

extension Response {
  /// A JSON response that must not be cached.
  static func uncached(
    _ status: Status = .ok, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var json = JSONWriter(capacity: 4096)
    write(&json)
    var response = Response(status, "application/json", json.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
