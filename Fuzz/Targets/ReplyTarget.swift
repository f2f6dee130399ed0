import Bytes

@testable import Rendering

extension FuzzTarget {
  /// The replies of a drawing process, which a malicious picture may control: the message, and the values in it.
  static let reply = FuzzTarget(name: "reply", maximumBytes: 4096) { bytes in
    if let message = try? HelperMessage(bytes) {
      try require(message.bytes == bytes, "a message is written as it was read")
      try require(
        message.values != nil || message.filePlace >= message.valueBytes,
        "files are behind the values")
    }
    var values = WireReader(bytes, fileBytes: 1 << 16) { offset, count in
      (0...1 << 16).contains(offset + count) ? Bytes([UInt8](repeating: 7, count: count)) : nil
    }
    if let result = try? RenderResult.readValues(from: &values) {
      var writer = WireWriter()
      result.write(to: &writer)
      try require(
        writer.bytes == Array(bytes.prefix(writer.bytes.count)),
        "a result is written as it was read")
      try require(writer.files.reduce(0) { $0 + $1.count } <= 1 << 16, "files are what was sent")
    }
    var failures = WireReader(bytes)
    if let failure = try? RenderFailure.read(from: &failures) {
      var writer = WireWriter()
      failure.write(to: &writer)
      try require(writer.bytes == bytes, "a failure is written as it was read")
    }
  }
}
