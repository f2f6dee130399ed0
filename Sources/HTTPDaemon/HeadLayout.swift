import CMicroHTTPD

/// Where the parts of a request's head stand in memory.
///
/// libmicrohttpd 0.9 takes a bare LF for the end of a line and shows of a field with a NUL what is before the NUL; what
/// it hands over is the same as for a good request. But it reads in place: a line that ended with CR LF has exactly
/// two bytes between its end and the next line's begin, and only then nothing was left out.
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
  /// Before libmicrohttpd decoded it in its place.
  let target: Part
  let version: Part
  let fields: [Part]
  /// Of the whole head, the empty line at its end included.
  let byteCount: UInt

  private static let lineEnd: UInt = 2

  /// Whether the library in use is one that works so. Later ones are told to be strict themselves.
  static let isKnown = MHD_get_version().map { String(cString: $0).hasPrefix("0.9.") } ?? false

  /// Whether every byte of the head belongs to a part that was handed over, or to the CR LF behind it.
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
