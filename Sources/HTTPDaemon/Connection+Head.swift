import CMicroHTTPD
import HTTP

extension Connection {
  /// The value of the first field with this name that has arrived. Call it only on the connection's thread.
  func value(of name: HeaderName) -> String? {
    var value: UnsafePointer<CChar>?
    var size = 0
    let text = name.text
    guard
      MHD_lookup_connection_value_n(raw, .HEADER_KIND, text, text.utf8.count, &value, &size) == .YES
    else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : size), as: UTF8.self)
  }

  /// Whether all fields of the head have arrived. Call it only on the connection's thread.
  var hasAllFields: Bool {
    mhd_connection_info(raw, .CONNECTION_INFO_REQUEST_HEADER_SIZE) != nil
  }

  /// The request's head. Call it only inside the access handler's first call, with the arguments of that call.
  ///
  /// - Parameter place: the target's location in memory before libmicrohttpd decoded it.
  func head(
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, target: String?,
    at place: HeadLayout.Part
  ) -> RawHead {
    var collector = FieldCollector()
    _ = withUnsafeMutablePointer(to: &collector) { collector in
      MHD_get_connection_values_n(raw, .HEADER_KIND, appendField, collector)
    }
    let size = mhd_connection_info(raw, .CONNECTION_INFO_REQUEST_HEADER_SIZE)
    let byteCount = size.map { Int($0.pointee.header_size) } ?? 0
    let methodText = method.map { String(cString: $0) } ?? ""
    let versionText = version.map { String(cString: $0) } ?? ""
    let layout = HeadLayout(
      method: HeadLayout.Part(method, count: methodText.utf8.count), target: place,
      version: HeadLayout.Part(version, count: versionText.utf8.count), fields: collector.places,
      byteCount: UInt(byteCount))
    return RawHead(
      method: methodText, version: versionText, target: target, fields: collector.fields,
      hasStrayEnds: HeadLayout.isKnown && !layout.isSeamless, byteCount: byteCount)
  }
}

/// The header fields as libmicrohttpd reports them, and their locations in memory.
private struct FieldCollector {
  var fields: [RawHead.Field] = []
  var places: [HeadLayout.Part] = []

  init() {
    fields.reserveCapacity(16)
    places.reserveCapacity(16)
  }
}

/// Called once for each header field, inside ``Connection/head(method:version:target:at:)`` and on its thread.
private let appendField: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
  guard let context, let name else { return .NO }
  let collector = context.assumingMemoryBound(to: FieldCollector.self)
  let nameBytes = UnsafeRawBufferPointer(start: name, count: nameSize)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
  collector.pointee.fields.append(
    RawHead.Field(
      name: String(decoding: nameBytes, as: UTF8.self),
      value: String(decoding: valueBytes, as: UTF8.self),
      isFolded: value.map { !isOnOneLine(name, nameSize, $0) } ?? false))
  collector.pointee.places.append(
    HeadLayout.Part(name, to: value.map { $0 + valueSize } ?? name + nameSize))
  return .YES
}

/// Whether a field's value directly follows its name in memory, as in the bytes that the client sent.
///
/// If a line begins with a space or tab, libmicrohttpd 0.9 moves the *name* of the preceding field to new
/// memory and appends the line to it. So `Transfer-Encodin: chunked` can become `Transfer-Encoding`. Only
/// the locations in memory reveal this.
private func isOnOneLine(
  _ name: UnsafePointer<CChar>, _ nameSize: Int, _ value: UnsafePointer<CChar>
) -> Bool {
  let nameEnd = UnsafeRawPointer(name) + nameSize
  let gap = UnsafeRawPointer(value) - nameEnd
  guard (1...(64 << 10)).contains(gap) else { return false }
  let between = UnsafeRawBufferPointer(start: nameEnd + 1, count: gap - 1)
  return between.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
}
