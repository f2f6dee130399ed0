import Bytes
import Foundation
import HTTP
import Memes

@testable import Storage

extension FuzzTarget {
  /// JSON as it is written: what another reader finds in it is what was written.
  static let json = FuzzTarget(name: "json", maximumBytes: 1024) { bytes in
    var input = Input(bytes)
    let value = WrittenValue(&input, depth: 0)
    var writer = JSONWriter(capacity: 0)
    value.write(to: &writer)
    let json = writer.finish().withUnsafeBytes { Data($0) }
    let read = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    try require(value.equals(read), "what is written is read the same: \(value)")

    var fits: [CaptionFit] = []
    while !input.isEmpty, fits.count < 4 {
      fits.append(
        CaptionFit(
          position: input.byte().isMultiple(of: 2) ? .top : .bottom,
          fontSize: Double(input.integer()) / 1024, lines: Int(input.byte()),
          shrunk: input.byte() > 127, truncated: input.byte() > 127,
          missingGlyphs: [input.text()]))
    }
    try require(try StoredFit.decode(StoredFit.encode(fits)) == fits, "what is stored is read")
  }
}

/// A value that the bytes of a fuzzer describe.
private indirect enum WrittenValue {
  case null
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([WrittenValue])
  case object([(name: String, value: WrittenValue)])

  init(_ input: inout Input, depth: Int) {
    switch input.byte() % (depth < 5 ? 7 : 5) {
    case 1: self = .flag(input.byte() > 127)
    case 2: self = .integer(Int(input.integer()))
    case 3: self = .number(Double(bitPattern: UInt64(bitPattern: input.integer())))
    case 4: self = .text(input.text())
    case 5:
      var items: [WrittenValue] = []
      for _ in 0..<input.byte() % 8 { items.append(WrittenValue(&input, depth: depth + 1)) }
      self = .array(items)
    case 6:
      var members: [(name: String, value: WrittenValue)] = []
      for index in 0..<input.byte() % 8 {
        // Numbered, so that no name comes twice.
        members.append(("\(index)\(input.text())", WrittenValue(&input, depth: depth + 1)))
      }
      self = .object(members)
    default: self = .null
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .flag(let flag): writer.value(flag)
    case .integer(let integer): writer.value(integer)
    case .number(let number): writer.value(number)
    case .text(let text): writer.value(text)
    case .array(let items): writer.array(items) { writer, item in item.write(to: &writer) }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.name(member.name)
          member.value.write(to: &writer)
        }
      }
    }
  }

  func equals(_ read: Any) -> Bool {
    switch self {
    case .null: read is NSNull
    case .flag(let flag): (read as? NSNumber)?.boolValue == flag
    case .integer(let integer): (read as? NSNumber)?.intValue == integer
    case .number(let number):
      number.isFinite ? (read as? NSNumber)?.doubleValue == number : read is NSNull
    // Byte for byte: two ways to write the same letter are two texts.
    case .text(let text): (read as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
    case .array(let items):
      (read as? [Any]).map { read in
        read.count == items.count && zip(items, read).allSatisfy { $0.equals($1) }
      } ?? false
    case .object(let members):
      (read as? [String: Any]).map { read in
        read.count == members.count
          && members.allSatisfy { member in read[member.name].map(member.value.equals) ?? false }
      } ?? false
    }
  }
}
