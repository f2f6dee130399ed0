import CCurl

/// An option of a transfer with a value of type `Value`. libcurl documents each option under its own name.
package struct CurlOption<Value> {
  let name: CURLoption

  init(_ name: CURLoption) { self.name = name }
}

extension CurlOption<String> {
  package static var url: Self { Self(CURLOPT_URL) }
  /// The allowed protocols, such as `http,https`.
  package static var protocols: Self { Self(CURLOPT_PROTOCOLS_STR) }
  package static var method: Self { Self(CURLOPT_CUSTOMREQUEST) }
  package static var userAgent: Self { Self(CURLOPT_USERAGENT) }
  /// The content encodings that the request accepts and libcurl decodes.
  package static var acceptedEncodings: Self { Self(CURLOPT_ACCEPT_ENCODING) }
  /// An empty string disables all proxies, including those in environment variables.
  package static var proxy: Self { Self(CURLOPT_PROXY) }
  /// A PEM file of certificate authorities to trust instead of the machine's.
  package static var authorities: Self { Self(CURLOPT_CAINFO) }
  package static var user: Self { Self(CURLOPT_USERNAME) }
  package static var password: Self { Self(CURLOPT_PASSWORD) }
  package static var mailSender: Self { Self(CURLOPT_MAIL_FROM) }
  /// The scheme of AWS signatures, such as `aws:amz:us-east-1:s3`. The user and the password are the keys.
  package static var awsSignature: Self { Self(CURLOPT_AWS_SIGV4) }
}

extension CurlOption<[String]> {
  /// Header fields of the request. A field without a value removes libcurl's own field of that name.
  package static var fields: Self { Self(CURLOPT_HTTPHEADER) }
  package static var mailRecipients: Self { Self(CURLOPT_MAIL_RCPT) }
}

extension CurlOption<Bool> {
  /// Whether the request has a body.
  package static var sendsBody: Self { Self(CURLOPT_UPLOAD) }
  /// Whether to open a new connection instead of reusing one.
  package static var connectsAnew: Self { Self(CURLOPT_FRESH_CONNECT) }
  /// Whether an aborted transfer ends without waiting for a pending DNS lookup.
  package static var endsAtOnce: Self { Self(CURLOPT_QUICK_EXIT) }
  /// Whether to leave dot segments in the path as they are.
  package static var keepsDots: Self { Self(CURLOPT_PATH_AS_IS) }
  /// Whether a trusted authority must have signed the server's certificate. The default is `true`.
  package static var trustsOnlyKnown: Self { Self(CURLOPT_SSL_VERIFYPEER) }
  /// Whether the server's certificate must match the host in the URL. The default is `true`.
  package static var expectsNamedHost: Self { Self(CURLOPT_SSL_VERIFYHOST) }
  /// Whether to leave a proxy's response to CONNECT out of the server's response.
  package static var hidesProxyAnswers: Self { Self(CURLOPT_SUPPRESS_CONNECT_HEADERS) }
}

extension CurlOption<Int> {
  package static var connectSeconds: Self { Self(CURLOPT_CONNECTTIMEOUT) }
  package static var wholeMilliseconds: Self { Self(CURLOPT_TIMEOUT_MS) }
  /// The rate in bytes per second below which a transfer is slow.
  package static var slowBytesPerSecond: Self { Self(CURLOPT_LOW_SPEED_LIMIT) }
  /// The number of seconds after which a slow transfer fails.
  package static var slowSeconds: Self { Self(CURLOPT_LOW_SPEED_TIME) }
  /// The number of idle seconds after which a connection is not reused.
  package static var idleConnectionSeconds: Self { Self(CURLOPT_MAXAGE_CONN) }
  /// The size of the receive buffer in bytes.
  package static var bufferBytes: Self { Self(CURLOPT_BUFFERSIZE) }
}

extension CurlOption<Int64> {
  package static var bodyBytes: Self { Self(CURLOPT_INFILESIZE_LARGE) }
}

extension CurlOption<CurlEncryption> {
  /// Whether to upgrade a plaintext connection to TLS.
  package static var encryption: Self { Self(CURLOPT_USE_SSL) }
}

extension CurlOption<CurlVersion> {
  package static var version: Self { Self(CURLOPT_HTTP_VERSION) }
}

/// Whether a plaintext connection must be upgraded to TLS.
package enum CurlEncryption {
  case ifOffered
  case always

  var number: Int { self == .always ? curl_tls_always : curl_tls_if_offered }
}

/// The HTTP version to use.
package enum CurlVersion {
  case http11

  var number: Int { curl_http_11 }
}
