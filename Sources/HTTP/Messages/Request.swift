package import Bytes

/// A request without its body.
package struct RequestHead: Sendable {
  package let method: Method
  package let target: RequestTarget
  package let headers: Headers
  package let id: RequestID
  /// The client's address as text: `127.0.0.1` or `::1`. It is the address of the connection's remote end, or the
  /// address that a trusted proxy reports.
  package let peer: String

  package init(
    method: Method, target: RequestTarget, headers: Headers, id: RequestID, peer: String
  ) {
    (self.method, self.target, self.headers) = (method, target, headers)
    (self.id, self.peer) = (id, peer)
  }
}

/// A complete request.
package struct Request: Sendable {
  package let head: RequestHead
  package let body: RequestBody

  package init(head: RequestHead, body: RequestBody) { (self.head, self.body) = (head, body) }
}

/// A request's body, after it has been read.
package enum RequestBody: Sendable {
  case none
  case bytes(Bytes)
  case form(Form)
  /// The result of the route's own reader.
  case made(any Sendable)
}
