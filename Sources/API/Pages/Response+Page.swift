import Bytes
import HTTP

extension Response {
  /// A page with its own style only. It cannot load scripts or pictures, and other pages cannot frame it.
  init(page html: Bytes, status: Status = .ok) {
    self.init(status, "text/html; charset=utf-8", html)
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }
}
