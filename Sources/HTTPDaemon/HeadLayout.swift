import CMicroHTTPD

/// The locations in memory of the parts of a request's head.
///
/// libmicrohttpd 0.9 accepts a bare LF as the end of a line. It reports a field with a NUL only up to the
/// NUL. Its callbacks receive the same values as for a valid request. But libmicrohttpd parses in place.
/// Exactly two bytes separate a line that ended with CR LF from the next line. Any other distance means
/// that libmicrohttpd left something out.
struct HeadLayout {
  struct Part {
    let start: UInt
    let end: UInt

    init(_ start: UnsafeRawPointer?, to end: UnsafeRawPointer?) {
      (self.start, self.end) = (UInt(bitPattern: start), UInt(bitPattern: end))
    }

    init(_ start: UnsafeRawPointer?, count: Int) {
      self.init(start, to: start.map { $0 + count })
    }
  }

  let method: Part
  /// The location before libmicrohttpd decoded the target in place.
  let target: Part
  let version: Part
  let fields: [Part]
  /// The size of the whole head, including the empty line at its end.
  let byteCount: UInt

  private static let lineEnd: UInt = 2

  /// Whether the loaded library behaves this way. Later versions run in their own strict mode.
  static let isKnown = MHD_get_version().map { String(cString: $0).hasPrefix("0.9.") } ?? false

  /// Whether every byte of the head belongs to a reported part or to the CR LF after it.
  var isSeamless: Bool {
    guard target.start &- method.end == 1, version.start &- target.end == 1 else { return false }
    var end = version.end
    for field in fields {
      guard field.start &- end == Self.lineEnd else { return false }
      end = field.end
    }
    return method.start &+ byteCount &- end == 2 * Self.lineEnd
  }
}
