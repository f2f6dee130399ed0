import Bytes

extension Response {
  /// What becomes of this whole answer for a client that asked with conditions or for a part of it.
  ///
  /// Conditions are evaluated where the answer is 200 to GET or HEAD and has an `ETag`; parts are cut where it has
  /// `Accept-Ranges` too. A part shares the whole's memory. The request's method and fields and this answer decide,
  /// and nothing else.
  ///
  /// - Throws: 412 and 416; 400 for an `If-Match` that cannot be read.
  package func answering(_ head: RequestHead) throws(Problem) -> Response {
    guard status == .ok, head.method == .get || head.method == .head,
      let conditions = try Preconditions(head.headers),
      let tag = headers[.etag].flatMap({ EntityTag($0.text) })
    else { return self }
    // RFC 9110 §14.2: ranges are for GET alone.
    let hasRanges = head.method == .get && headers[.acceptRanges] != nil
    switch conditions.outcome(for: tag, rangesOver: hasRanges ? byteCount : nil) {
    case .whole: return self
    case .notModified: return notModified
    case .part(let range): return part(range) ?? self
    case .failed: throw Problem(.preconditionFailed)
    case .unsatisfiable:
      // RFC 9110 §14.4: how much there is.
      var fields = Headers()
      fields[.contentRange] = HeaderValue("bytes */\(byteCount)")
      throw Problem(.rangeNotSatisfiable, headers: fields)
    }
  }

  /// 304, with the fields that a cache brings up to date (RFC 9110 §15.4.5) and those that protect.
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
    response.file = file
    return response
  }

  /// 206 (RFC 9110 §15.3.7.1).
  private func part(_ range: Range<Int>) -> Response? {
    var part = Response(.partialContent, headers: headers)
    if let file {
      guard let slice = file.slice(range) else { return nil }
      part.file = slice
    } else {
      guard let bytes = body.slice(range) else { return nil }
      part.body = bytes
    }
    part.headers[.contentRange] = HeaderValue(
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)")
    return part
  }
}
