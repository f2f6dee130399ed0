package import Memes

/// The error of a job, as a helper process reports it.
package enum RenderFailure: Error, Equatable {
  case unsupported
  case invalid(field: String, InvalidValue)
  case late
  case notFound
  /// The job needs the file of its picture, which was not sent.
  case needsPicture
  /// No memory is left. The message is for the log.
  case starved(String)
  /// Any other failure. The message is for the log.
  case library(String)
}

extension RenderFailure {
  /// The only fields that a drawer may report as invalid.
  private static let fields = Set(
    ["image", "crop"] + (0..<BoxedPicture.maximumCount).map { "pictures[\($0)]" })

  package init(_ error: any Error) {
    switch error {
    case MemeError.unsupportedPicture: self = .unsupported
    case MemeError.invalid(let field, let value): self = .invalid(field: field, value)
    case MemeError.renderTimeout: self = .late
    case MemeError.notFound: self = .notFound
    case MemeError.renderingStarved(let cause): self = .starved("\(cause)")
    case MemeError.rendering(let failure as RenderFailure): self = failure
    case MemeError.rendering(let cause): self = .library("\(cause)")
    default: self = .library("\(error)")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .unsupported: writer.put(UInt8(0))
    case .invalid(let field, let value):
      writer.put(UInt8(1))
      writer.put(field)
      writer.put(value.code)
      writer.put(value.message)
    case .late: writer.put(UInt8(2))
    case .notFound: writer.put(UInt8(3))
    case .needsPicture: writer.put(UInt8(4))
    case .starved(let reason):
      writer.put(UInt8(5))
      writer.put(reason.cut(toBytes: 1024))
    case .library(let reason):
      writer.put(UInt8(6))
      writer.put(reason.cut(toBytes: 1024))
    }
  }

  package static func read(from reader: inout WireReader) throws -> RenderFailure {
    let failure: RenderFailure
    switch try reader.byte() {
    case 0: failure = .unsupported
    case 1:
      let field = try reader.text(16)
      guard fields.contains(field) else { throw WireFormatError() }
      let value = InvalidValue(code: try reader.text(64), message: try reader.text(256))
      failure = .invalid(field: field, value)
    case 2: failure = .late
    case 3: failure = .notFound
    case 4: failure = .needsPicture
    case 5: failure = .starved(try reader.text(1024))
    case 6: failure = .library(try reader.text(1024))
    default: throw WireFormatError()
    }
    try reader.end()
    return failure
  }
}

extension MemeError {
  init(_ failure: RenderFailure) {
    self =
      switch failure {
      case .unsupported: .unsupportedPicture
      case .invalid(let field, let value): .invalid(field: field, value)
      case .late: .renderTimeout
      case .notFound: .notFound
      case .starved: .renderingStarved(failure)
      case .needsPicture, .library: .rendering(failure)
      }
  }
}

extension String {
  /// The longest prefix of at most `limit` bytes of UTF-8 that ends at a character boundary.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
