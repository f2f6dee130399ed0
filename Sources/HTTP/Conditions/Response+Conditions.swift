import Bytes

extension Response {
  /// Applies a request's conditions and range to this whole response.
  ///
  /// Conditions apply to a 200 for GET or HEAD that has an `ETag`. Ranges apply to GET if the response also
  /// has `Accept-Ranges`. A part shares the memory of the whole; of remote bytes, only the part
  /// is left to be read. The result depends only on the request's
  /// method and fields and on this response.
  ///
  /// - Throws: 412 and 416; 400 for an unreadable `If-Match`.
  package func answering(_ head: RequestHead) throws(Problem) -> Response {
    guard status == .ok, head.method == .get || head.method == .head,
      let conditions = try Preconditions(head.headers),
      let tag = headers[.etag].flatMap({ EntityTag($0.text) })
    else { return self }
    // RFC 9110 §14.2: ranges apply to GET only.
    let hasRanges = head.method == .get && headers[.acceptRanges] != nil
    switch conditions.outcome(for: tag, rangesOver: hasRanges ? byteCount : nil) {
    case .whole: return self
    case .notModified: return notModified
    case .part(let range): return part(range) ?? self
    case .failed: throw Problem(.preconditionFailed)
    case .unsatisfiable:
      // RFC 9110 §14.4: the length of the whole representation.
      var fields = Headers()
      fields[.contentRange] = HeaderValue("bytes */\(byteCount)")
      throw Problem(.rangeNotSatisfiable, headers: fields)
    }
  }

  /// 304, with the fields that a cache updates (RFC 9110 §15.4.5) and the security fields.
  private var notModified: Response {
    let kept: [HeaderName] = [
      .etag, .cacheControl, .contentLocation, .expires, .vary, .contentSecurityPolicy,
      .crossOriginResourcePolicy, .referrerPolicy, .xContentTypeOptions,
    ]
    var response = Response(
      .notModified,
      headers: Headers(
        headers.fields.filter { kept.contains($0.name) }.map { ($0.name, $0.value) }),
      body: body)
    (response.file, response.remote) = (file, remote)
    return response
  }

  /// 206 (RFC 9110 §15.3.7.1).
  private func part(_ range: Range<Int>) -> Response? {
    var part = Response(.partialContent, headers: headers)
    if let file {
      guard let slice = file.slice(range) else { return nil }
      part.file = slice
    } else if let remote {
      guard let slice = remote.slice(range) else { return nil }
      part.remote = slice
    } else {
      guard let bytes = body.slice(range) else { return nil }
      part.body = bytes
    }
    part.headers[.contentRange] = HeaderValue(
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)")
    return part
  }
}
