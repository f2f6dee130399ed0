import CCurl

/// An option of a transfer, which has a value of this type. Each is as libcurl documents it under its own name.
package struct CurlOption<Value> {
  let name: CURLoption

  init(_ name: CURLoption) { self.name = name }
}

extension CurlOption<String> {
  package static var url: Self { Self(CURLOPT_URL) }
  /// The protocols that are spoken, such as `http,https`.
  package static var protocols: Self { Self(CURLOPT_PROTOCOLS_STR) }
  package static var method: Self { Self(CURLOPT_CUSTOMREQUEST) }
  package static var userAgent: Self { Self(CURLOPT_USERAGENT) }
  /// The encodings of answers' bodies that are asked for and undone.
  package static var acceptedEncodings: Self { Self(CURLOPT_ACCEPT_ENCODING) }
  /// Empty for none, whatever the environment says.
  package static var proxy: Self { Self(CURLOPT_PROXY) }
  /// A file in PEM of who may vouch for a server, instead of those that the machine trusts.
  package static var authorities: Self { Self(CURLOPT_CAINFO) }
  package static var user: Self { Self(CURLOPT_USERNAME) }
  package static var password: Self { Self(CURLOPT_PASSWORD) }
  package static var mailSender: Self { Self(CURLOPT_MAIL_FROM) }
}

extension CurlOption<[String]> {
  /// Fields of the request. One without a value keeps libcurl from sending it.
  package static var fields: Self { Self(CURLOPT_HTTPHEADER) }
  package static var mailRecipients: Self { Self(CURLOPT_MAIL_RCPT) }
}

extension CurlOption<Bool> {
  /// Whether the request has a body.
  package static var sendsBody: Self { Self(CURLOPT_UPLOAD) }
  /// Whether no connection is used that was kept.
  package static var connectsAnew: Self { Self(CURLOPT_FRESH_CONNECT) }
  /// Whether a transfer that is ended does not wait for a name server that it has asked.
  package static var endsAtOnce: Self { Self(CURLOPT_QUICK_EXIT) }
  /// Whether dots in a path are left as they are.
  package static var keepsDots: Self { Self(CURLOPT_PATH_AS_IS) }
  /// Whether the server's certificate has to be one that somebody vouches for who is trusted. It has to be, unless this is said.
  package static var trustsOnlyKnown: Self { Self(CURLOPT_SSL_VERIFYPEER) }
  /// Whether the server's certificate has to be for the host of the address. It has to be, unless this is said.
  package static var expectsNamedHost: Self { Self(CURLOPT_SSL_VERIFYHOST) }
  /// Whether what a proxy says to being connected through is kept apart from the server's answer.
  package static var hidesProxyAnswers: Self { Self(CURLOPT_SUPPRESS_CONNECT_HEADERS) }
}

extension CurlOption<Int> {
  package static var connectSeconds: Self { Self(CURLOPT_CONNECTTIMEOUT) }
  package static var wholeMilliseconds: Self { Self(CURLOPT_TIMEOUT_MS) }
  /// After so many seconds without use a connection is not used again.
  package static var idleConnectionSeconds: Self { Self(CURLOPT_MAXAGE_CONN) }
  /// How much is read at a time.
  package static var bufferBytes: Self { Self(CURLOPT_BUFFERSIZE) }
}

extension CurlOption<Int64> {
  package static var bodyBytes: Self { Self(CURLOPT_INFILESIZE_LARGE) }
}

extension CurlOption<CurlEncryption> {
  /// What becomes of a conversation that begins in clear.
  package static var encryption: Self { Self(CURLOPT_USE_SSL) }
}

extension CurlOption<CurlVersion> {
  package static var version: Self { Self(CURLOPT_HTTP_VERSION) }
}

/// Whether a conversation that begins in clear goes on so.
package enum CurlEncryption {
  case ifOffered
  case always

  var number: Int { self == .always ? curl_tls_always : curl_tls_if_offered }
}

/// Which HTTP is spoken.
package enum CurlVersion {
  case http11

  var number: Int { curl_http_11 }
}
