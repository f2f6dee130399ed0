import Curl

/// The reason why a provider could not sign a user in. The texts are for the log: they contain no secret.
package enum OpenIDError: Error, Equatable, Sendable {
  /// The provider did not answer, or not as the standard requires.
  case failed(String)
  /// The code is unknown, expired, or was used before.
  case codeRefused
  /// Too many requests to the provider are running.
  case busy
}

extension OpenIDError {
  init(_ error: CurlError) { self = .failed(error.text) }
}
