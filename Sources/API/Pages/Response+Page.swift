import Bytes
import HTTP

extension Response {
  /// A page that brings its own style and nothing else: no script, no picture, no frame around it.
  init(page html: Bytes, status: Status = .ok) {
    self.init(status, "text/html; charset=utf-8", html)
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }
}
