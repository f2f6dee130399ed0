import CCurl

/// An error during a transfer or its setup.
package struct CurlError: Error, Equatable, Sendable {
  private let number: UInt32

  init(_ code: CURLcode) { number = code.rawValue }

  /// libcurl's fixed text for this kind of error. It contains no address and no account.
  package var text: String { String(cString: curl_easy_strerror(CURLcode(number))) }
}

extension CurlError {
  package static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  package static let malformedURL = Self(CURLE_URL_MALFORMAT)
  /// An invalid option value, such as a header field that contains a line break.
  package static let badArgument = Self(CURLE_BAD_FUNCTION_ARGUMENT)
  package static let proxyNotFound = Self(CURLE_COULDNT_RESOLVE_PROXY)
  package static let hostNotFound = Self(CURLE_COULDNT_RESOLVE_HOST)
  package static let cannotConnect = Self(CURLE_COULDNT_CONNECT)
  package static let tlsFailed = Self(CURLE_SSL_CONNECT_ERROR)
  /// The certificate is for another host, has expired, or is not signed by a trusted authority.
  package static let untrusted = Self(CURLE_PEER_FAILED_VERIFICATION)
  package static let sendFailed = Self(CURLE_SEND_ERROR)
  package static let receiveFailed = Self(CURLE_RECV_ERROR)
  /// The connection ended without a response.
  package static let nothingCame = Self(CURLE_GOT_NOTHING)
  /// The connection ended before the response was complete.
  package static let cutShort = Self(CURLE_PARTIAL_FILE)
  /// Part of the request body would have to be sent again.
  package static let cannotRewind = Self(CURLE_SEND_FAIL_REWIND)
  /// The ``CurlPeer`` aborted the transfer.
  package static let aborted = Self(CURLE_ABORTED_BY_CALLBACK)
  package static let notTaken = Self(CURLE_WRITE_ERROR)
  /// The response does not follow the protocol.
  package static let unreadableAnswer = Self(CURLE_WEIRD_SERVER_REPLY)
  package static let unreadableEncoding = Self(CURLE_BAD_CONTENT_ENCODING)
  package static let outOfMemory = Self(CURLE_OUT_OF_MEMORY)
}

func check(_ code: CURLcode) throws(CurlError) {
  guard code == CURLE_OK else { throw CurlError(code) }
}
