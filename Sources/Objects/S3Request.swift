import Bytes
import Curl

/// One request to a bucket. The only operations are PUT, GET, DELETE, LIST and COPY.
struct S3Request: Sendable {
  let operation: S3Meter.Operation
  let method: String
  let url: String
  /// Header fields, in addition to those of the signature.
  var fields: [String] = []
  /// The body; `nil` if the method has none.
  var body: Bytes?
  /// The maximum length of the response's body in bytes, if it reports success.
  var limit = Self.documentBytes

  /// More than a page of 1,000 keys needs.
  static let documentBytes = 4 << 20

  private init(_ operation: S3Meter.Operation, _ method: String, _ url: String) {
    (self.operation, self.method, self.url) = (operation, method, url)
  }

  static func put(_ bytes: Bytes, at key: ObjectKey, in bucket: S3Address) -> S3Request {
    var request = S3Request(.put, "PUT", bucket.url(of: key))
    request.body = bytes
    return request
  }

  static func get(_ key: ObjectKey, upTo limit: Int, in bucket: S3Address) -> S3Request {
    var request = S3Request(.get, "GET", bucket.url(of: key))
    request.limit = limit
    return request
  }

  /// - Parameter range: not empty.
  static func get(_ key: ObjectKey, _ range: Range<Int>, in bucket: S3Address) -> S3Request {
    var request = get(key, upTo: range.count, in: bucket)
    request.fields = ["range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
    return request
  }

  static func delete(_ key: ObjectKey, in bucket: S3Address) -> S3Request {
    S3Request(.delete, "DELETE", bucket.url(of: key))
  }

  static func copy(_ key: ObjectKey, to copy: ObjectKey, in bucket: S3Address) -> S3Request {
    var request = S3Request(.copy, "PUT", bucket.url(of: copy))
    request.fields = ["x-amz-copy-source: /\(bucket.bucket)/\(bucket.prefix)\(key.text)"]
    request.body = Bytes()
    return request
  }

  static func list(
    _ prefix: String, _ page: ObjectPage.Next?, in bucket: S3Address
  ) -> S3Request {
    // libcurl signs the query as it is, but a store sorts the names. So they must be in ascending order.
    var query = page.map { ["continuation-token=\($0.token.percentEncoded)"] } ?? []
    query += ["list-type=2", "max-keys=1000", "prefix=\((bucket.prefix + prefix).percentEncoded)"]
    return S3Request(.list, "GET", "\(bucket.url)/?\(query.joined(separator: "&"))")
  }

  /// Sets everything that a transfer needs to send this request.
  func prepare(
    _ handle: CurlHandle, in bucket: S3Address, as account: S3Credentials, authorities: String?
  ) throws(CurlError) {
    try handle.set(.protocols, "http,https")
    try handle.set(.url, url)
    try handle.set(.version, .http11)
    // Proxies in environment variables are for the web, not for the store.
    try handle.set(.proxy, "")
    try handle.set(.awsSignature, "aws:amz:\(bucket.region):s3")
    try handle.set(.user, account.accessKey)
    try handle.set(.password, account.secret)
    // Without it, libcurl would sign a digest of a body that it does not know yet. A field without a value in this
    // list would break the signature.
    try handle.set(.fields, ["x-amz-content-sha256: UNSIGNED-PAYLOAD"] + fields)
    try handle.set(.connectSeconds, 2)
    try handle.set(.slowBytesPerSecond, 10_000)
    try handle.set(.slowSeconds, 5)
    try handle.set(.wholeMilliseconds, 30_000)
    try handle.set(.endsAtOnce, true)
    try handle.set(.bufferBytes, 64 << 10)
    if let authorities { try handle.set(.authorities, authorities) }
    if let body {
      try handle.set(.sendsBody, true)
      try handle.set(.bodyBytes, Int64(body.count))
    }
    if method == "DELETE" { try handle.set(.method, method) }
  }
}

extension S3Address {
  fileprivate func url(of key: ObjectKey) -> String { "\(url)/\(prefix)\(key.text)" }
}

/// The response to a request.
struct S3Response: Sendable {
  let status: Int
  /// The value of `Content-Range`; `nil` if the response has none.
  var contentRange: String?
  let body: Bytes
}
