package import Bytes

/// A POST to the destination of a connection.
package struct WebhookRequest: Sendable {
  /// An `http` or `https` URL.
  package let url: String
  /// Header fields, each as one line.
  package let fields: [String]
  /// JSON.
  package let body: Bytes

  package init(url: String, fields: [String], body: Bytes) {
    (self.url, self.fields, self.body) = (url, fields, body)
  }
}

/// The end of a ``WebhookRequest``.
package enum WebhookResponse: Sendable, Equatable {
  /// The receiver answered.
  ///
  /// - Parameters:
  ///   - head: at most ``maximumHeadBytes`` of the status line and the header fields.
  ///   - retryAfter: the seconds of the field `Retry-After`; `nil` without one.
  case answered(status: Int, head: String, retryAfter: Int?)
  /// There was no answer.
  case failed(String)

  package static let maximumHeadBytes = 2048
}
