import CCurl

/// Why a transfer failed, or could not be made.
package struct CurlError: Error, Equatable, Sendable {
  private let number: UInt32

  init(_ code: CURLcode) { number = code.rawValue }

  /// What libcurl says of errors of this kind: a fixed text, so nothing of an address or an account is in it.
  package var text: String { String(cString: curl_easy_strerror(CURLcode(number))) }
}

extension CurlError {
  package static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  package static let malformedURL = Self(CURLE_URL_MALFORMAT)
  /// A value that an option cannot have, such as a header field with a line's end in it.
  package static let badArgument = Self(CURLE_BAD_FUNCTION_ARGUMENT)
  package static let proxyNotFound = Self(CURLE_COULDNT_RESOLVE_PROXY)
  package static let hostNotFound = Self(CURLE_COULDNT_RESOLVE_HOST)
  package static let cannotConnect = Self(CURLE_COULDNT_CONNECT)
  package static let tlsFailed = Self(CURLE_SSL_CONNECT_ERROR)
  /// The certificate is of another host, out of date, or nobody vouches for it.
  package static let untrusted = Self(CURLE_PEER_FAILED_VERIFICATION)
  package static let sendFailed = Self(CURLE_SEND_ERROR)
  package static let receiveFailed = Self(CURLE_RECV_ERROR)
  /// The connection ended without an answer.
  package static let nothingCame = Self(CURLE_GOT_NOTHING)
  /// The connection ended before the answer did.
  package static let cutShort = Self(CURLE_PARTIAL_FILE)
  /// What was sent of a body would have to be sent again.
  package static let cannotRewind = Self(CURLE_SEND_FAIL_REWIND)
  /// Whom the transfer is for ended it.
  package static let aborted = Self(CURLE_ABORTED_BY_CALLBACK)
  package static let notTaken = Self(CURLE_WRITE_ERROR)
  /// What came is no answer of the protocol.
  package static let unreadableAnswer = Self(CURLE_WEIRD_SERVER_REPLY)
  package static let unreadableEncoding = Self(CURLE_BAD_CONTENT_ENCODING)
  package static let outOfMemory = Self(CURLE_OUT_OF_MEMORY)
}

func check(_ code: CURLcode) throws(CurlError) {
  guard code == CURLE_OK else { throw CurlError(code) }
}
