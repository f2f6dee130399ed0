package import Bytes

package import struct Foundation.UUID

/// A response: status, header fields, and the bytes of the body.
///
/// The daemon sets `Content-Length`, `Transfer-Encoding`, `Date`, `Connection` and `X-Request-Id`. The service answers
/// HEAD with the response to GET, and the daemon omits the body. The daemon also omits the body of a 304.
package struct Response: Sendable {
  package var status: Status { didSet { forms = nil } }
  package var headers: Headers { didSet { forms = nil } }
  package var body: Bytes { didSet { forms = nil } }
  /// Sent instead of the body, which is then empty. `nil` if the response's bytes are in memory.
  package var file: FilePart? { didSet { forms = nil } }
  /// Sent instead of the body, which is then empty. A response that sends it must be ``loaded()`` before. `nil` if the
  /// response's bytes are on this machine.
  package var remote: RemotePart? { didSet { forms = nil } }
  /// The data after the body, of unknown length. `nil` if nothing follows the body.
  package var stream: (any BodyStream)? { didSet { forms = nil } }
  /// The IDs of a list's items or of the template of a linked meme, for a cache. Empty for all other responses.
  package var listed: [UUID] = []
  /// Set for a response that is sent repeatedly. Any change to the response clears it.
  package private(set) var forms: ResponseForms?

  package init(_ status: Status, headers: Headers = Headers(), body: Bytes = Bytes()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates a response with a body of this media type.
  package init(_ status: Status, _ mediaType: HeaderValue, _ body: Bytes) {
    self.init(status, headers: Headers([(.contentType, mediaType)]), body: body)
  }

  /// The number of bytes of the body, or of the part of a file or of remote bytes.
  package var byteCount: Int { file?.range.count ?? remote?.range.count ?? body.count }

  /// The same response with its remote bytes in memory.
  ///
  /// - Throws: the errors of their source.
  package func loaded() async throws -> Response {
    guard let remote else { return self }
    var response = self
    (response.body, response.remote) = (try await remote.bytes(), nil)
    return response
  }

  /// The same response with this value for a header field, or without the field for `nil`.
  package func with(_ name: HeaderName, _ value: HeaderValue?) -> Response {
    var response = self
    response.headers[name] = value
    return response
  }

  /// The same response, which also stores the form in which it is sent, for the next time.
  package var reusable: Response {
    var response = self
    response.forms = ResponseForms()
    return response
  }

  /// The same response for a request that gets no body. Its length is sent, and its bytes are freed.
  package var bodiless: Response {
    guard !body.isEmpty else { return self }
    var response = self
    (response.remote, response.body) = (RemotePart(UnsentBytes(count: body.count)), Bytes())
    return response
  }

  /// 204.
  package static var noContent: Response { Response(.noContent) }
}

/// Bytes of which only the number is sent.
private struct UnsentBytes: RemoteBytes {
  let count: Int

  func bytes(in range: Range<Int>) async throws -> Bytes { Bytes() }
}
