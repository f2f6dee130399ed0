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
    400, "malformed-request", "Malformed request",
    "The server could not parse the request's framing, URL or body. Fix the syntax and send it again."
  )

  package static let invalidIdempotencyKey = ProblemKind(
    400, "invalid-idempotency-key", "Invalid Idempotency-Key",
    "Send one Idempotency-Key header of 1 to 255 visible ASCII characters, optionally in quotes. Use a UUID."
  )

  package static let unauthorized = ProblemKind(
    401, "unauthorized", "Authentication required",
    "Send a valid bearer token: a session token, an access token, the admin token, or the deleteToken of the meme or template."
  )

  package static let notFound = ProblemKind(
    404, "not-found", "Not found",
    "The resource does not exist, or you do not have access to it.")

  package static let methodNotAllowed = ProblemKind(
    405, "method-not-allowed", "Method not allowed",
    "This URL does not support the request method. The Allow header lists the supported methods."
  )

  package static let notAcceptable = ProblemKind(
    406, "not-acceptable", "Not acceptable",
    "This endpoint cannot produce any of the media types in the Accept header.")

  package static let requestTimeout = ProblemKind(
    408, "request-timeout", "Request timeout",
    "The request header or body did not arrive in time. Send the request again."
  )

  package static let preconditionFailed = ProblemKind(
    412, "precondition-failed", "Precondition failed",
    "The resource has changed: its ETag does not match If-Match. Nothing was changed. Fetch the resource again, then retry."
  )

  package static let contentTooLarge = ProblemKind(
    413, "content-too-large", "Content too large",
    "The request body or one of its parts exceeds the size limit.")

  package static let uriTooLong = ProblemKind(
    414, "uri-too-long", "URI too long",
    "The URL is longer than 8192 bytes.")

  package static let unsupportedMediaType = ProblemKind(
    415, "unsupported-media-type", "Unsupported media type",
    "This endpoint does not support the Content-Type of the request body.")

  package static let expectationFailed = ProblemKind(
    417, "expectation-failed", "Expectation failed",
    "The only supported expectation is Expect: 100-continue.")

  package static let rangeNotSatisfiable = ProblemKind(
    416, "range-not-satisfiable", "Range not satisfiable",
    "The Range header starts after the end of the content. Content-Range contains the actual size.")

  package static let invalidInput = ProblemKind(
    422, "invalid-input", "Invalid input",
    "Some values are invalid. The errors array lists each invalid field and the reason."
  )

  package static let headerTooLarge = ProblemKind(
    431, "header-too-large", "Request header too large",
    "The request header fields exceed the size limit.")

  package static let internalError = ProblemKind(
    500, "internal-error", "Internal server error",
    "The server failed to process the request. Report the request ID to the operator, who can find the cause in the log."
  )

  package static let notImplemented = ProblemKind(
    501, "not-implemented", "Not implemented",
    "The server does not implement this request method.")

  package static let overloaded = ProblemKind(
    503, "overloaded", "Server overloaded",
    "The queue for rendering or password checks is full. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  package static let storageFull = ProblemKind(
    507, "storage-full", "Insufficient storage",
    "The server's disk is full. Nothing was stored."
  )
}
