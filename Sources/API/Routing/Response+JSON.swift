import Bytes
import HTTP
import Memes

extension Response {
  /// A JSON response that must not be cached.
  static func uncached(
    _ status: Status = .ok, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var json = JSONWriter(capacity: 4096)
    write(&json)
    return Response(status, "application/json", json.finish()).with(.cacheControl, "no-store")
  }

  /// A JSON response that only the client caches, and revalidates with each request.
  ///
  /// - Parameter version: the beginning of its entity tag.
  static func revalidated(_ body: Bytes, version: String = "", _ digest: Digester) -> Response {
    Response(.ok, "application/json", body)
      .with(.etag, HeaderValue("\"\(version)\(digest(body).tag)\""))
      .with(.cacheControl, "private, no-cache")
  }
}
