#if os(Linux)
  import Curl
  import Foundation

  extension MemeMeError {
    /// Converts a libcurl error into the corresponding URLSession error.
    init(_ error: CurlError) {
      self =
        switch error {
        case .unsupportedProtocol: .connection(.unsupportedURL)
        case .malformedURL, .badArgument: .connection(.badURL)
        case .hostNotFound, .proxyNotFound: .connection(.cannotFindHost)
        case .cannotConnect: .connection(.cannotConnectToHost)
        case .tlsFailed: .connection(.secureConnectionFailed)
        case .untrusted: .connection(.serverCertificateUntrusted)
        case .unreadableAnswer, .unreadableEncoding: .connection(.badServerResponse)
        case .sendFailed, .receiveFailed, .nothingCame, .cutShort, .cannotRewind, .aborted,
          .notTaken:
          .connection(.networkConnectionLost)
        default: .connection(.unknown)
        }
    }
  }
#endif
