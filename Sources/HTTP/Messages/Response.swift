package import Bytes

package import struct Foundation.UUID

/// An answer: status, header fields, and the body's bytes.
///
/// `Content-Length`, `Date`, `Connection` and `X-Request-Id` are the daemon's; HEAD is answered with the response to GET,
/// from which the daemon leaves out the body, and so it does with the body of what is not modified. `Transfer-Encoding` is the
/// daemon's too.
package struct Response: Sendable {
  package var status: Status { didSet { forms = nil } }
  package var headers: Headers { didSet { forms = nil } }
  package var body: Bytes { didSet { forms = nil } }
  /// What is sent instead of the body, which is empty then; `nil` for an answer whose bytes are in memory.
  package var file: FilePart? { didSet { forms = nil } }
  /// What follows the body, and makes the answer one without a length; `nil` where the body is all.
  package var stream: (any BodyStream)? { didSet { forms = nil } }
  /// The ids of the items of a list, for a cache; empty for any other answer.
  package var listed: [UUID] = []
  /// Set for an answer that is given again and again. What becomes of it by a change has none.
  package private(set) var forms: ResponseForms?

  package init(_ status: Status, headers: Headers = Headers(), body: Bytes = Bytes()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer with a body of this media type.
  package init(_ status: Status, _ mediaType: HeaderValue, _ body: Bytes) {
    self.init(status, headers: Headers([(.contentType, mediaType)]), body: body)
  }

  /// The bytes of its body, or of its part of a file.
  package var byteCount: Int { file?.range.count ?? body.count }

  /// The same answer, kept in the form in which it is sent, for the next time.
  package var reusable: Response {
    var response = self
    response.forms = ResponseForms()
    return response
  }

  /// 204.
  package static var noContent: Response { Response(.noContent) }
}
