/// A kind of failure: an entry of the problem catalog.
///
/// The kinds that HTTP itself needs are here. The API adds its own, and lists all of them.
package struct ProblemKind: Hashable, Sendable {
  package let status: Status
  /// A stable code for programs. It is the last part of the address in `type`.
  package let code: String
  /// A few words that describe the failure.
  package let title: String
  /// One or two sentences about the cause of the failure and what to do.
  package let explanation: String
  /// The time in `Retry-After`, if the same request may succeed later and no better time is known.
  package let retryAfterSeconds: Int?

  package init(
    _ status: Int, _ code: String, _ title: String, _ explanation: String,
    retryAfterSeconds: Int? = nil
  ) {
    (self.status, self.code, self.title) = (Status(status), code, title)
    (self.explanation, self.retryAfterSeconds) = (explanation, retryAfterSeconds)
  }
}

extension ProblemKind {
  package static let malformedRequest = ProblemKind(
    400, "malformed-request", "The request is malformed",
    "The request's syntax is broken: its framing, its address, or its multipart body. Send it again in the right form."
  )

  package static let invalidIdempotencyKey = ProblemKind(
    400, "invalid-idempotency-key", "The Idempotency-Key is malformed",
    "An Idempotency-Key is sent once, as 1 to 255 visible ASCII characters, bare or as a quoted string. A UUID is best."
  )

  package static let unauthorized = ProblemKind(
    401, "unauthorized", "Valid credentials are needed",
    "The call needs a bearer token that is valid for it: that of a session, the admin's, or the deleteToken that came with the upload."
  )

  package static let notFound = ProblemKind(
    404, "not-found", "There is no such thing",
    "Nothing is at this address, or you may not know of it.")

  package static let methodNotAllowed = ProblemKind(
    405, "method-not-allowed", "The method is not allowed here",
    "The address exists, but not for this method. The Allow header lists the methods that it takes."
  )

  package static let notAcceptable = ProblemKind(
    406, "not-acceptable", "No acceptable representation",
    "The Accept header allows none of the media types that this call can answer with.")

  package static let requestTimeout = ProblemKind(
    408, "request-timeout", "The request came too slowly",
    "The request's header or body did not arrive in the time that the server gives it. Send it again over a faster connection."
  )

  package static let preconditionFailed = ProblemKind(
    412, "precondition-failed", "It is not as the condition wants it",
    "It has changed since you saw it: none of the tags in If-Match is its tag now. Nothing was done. Fetch it again, and decide anew."
  )

  package static let contentTooLarge = ProblemKind(
    413, "content-too-large", "The content is too large",
    "The body, or one of its parts, has more bytes than the server takes.")

  package static let uriTooLong = ProblemKind(
    414, "uri-too-long", "The address is too long",
    "The address has more than 8192 bytes.")

  package static let unsupportedMediaType = ProblemKind(
    415, "unsupported-media-type", "The media type is not supported",
    "The body's Content-Type is not one that this call reads.")

  package static let expectationFailed = ProblemKind(
    417, "expectation-failed", "The expectation cannot be met",
    "The only expectation that the server knows is Expect: 100-continue.")

  package static let rangeNotSatisfiable = ProblemKind(
    416, "range-not-satisfiable", "There is no such range",
    "The Range header asks for bytes behind the end. Content-Range says how many there are.")

  package static let invalidInput = ProblemKind(
    422, "invalid-input", "Some of the input is invalid",
    "The request is well-formed, but some values cannot be taken. The member errors names each field and what is wrong with it."
  )

  package static let headerTooLarge = ProblemKind(
    431, "header-too-large", "The header is too large",
    "The request's header fields have more bytes than the server takes.")

  package static let internalError = ProblemKind(
    500, "internal-error", "Something went wrong on the server",
    "The failure is not yours. The request id tells the operator where to look in the log.")

  package static let notImplemented = ProblemKind(
    501, "not-implemented", "The method is unknown",
    "The server does not know this request method.")

  package static let overloaded = ProblemKind(
    503, "overloaded", "The server is too busy",
    "More is waiting to be drawn, or more passwords to be checked, than the server takes on. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  package static let storageFull = ProblemKind(
    507, "storage-full", "The storage is full",
    "There is no room left to keep what was sent, or to put together what was asked for. Nothing was stored."
  )
}
