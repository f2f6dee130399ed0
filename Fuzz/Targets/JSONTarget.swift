import Bytes
import Foundation
import HTTP
import JSON
import Memes

@testable import Storage

extension FuzzTarget {
  /// The JSON writer and the JSON parser. Foundation's decoder and our parser must read each written value unchanged.
  static let json = FuzzTarget(name: "json", maximumBytes: 1024) { bytes in
    var input = Input(bytes)
    let value = WrittenValue(&input, depth: 0)
    var writer = JSONWriter(capacity: 0)
    value.write(to: &writer)
    let json = writer.finish()
    let read = try JSONDecoder().decode(
      ReadValue.self, from: json.withUnsafeBytes { Data($0) })
    try require(value.equals(read), "what is written is read the same: \(value)")
    if !value.hasNameWithNUL {
      try require(value.equals(try JSON(parsing: json)), "by us too: \(value)")
    }
    if let sent = try? JSON(parsing: Bytes(bytes)) {
      let data = Data(bytes)
      try require(
        try JSONDecoder().decode(ReadValue.self, from: data).equals(sent),
        "what is taken as JSON is JSON, and means the same")
    }

    var fits: [CaptionFit] = []
    while !input.isEmpty, fits.count < 4 {
      fits.append(
        CaptionFit(
          position: [.top, .bottom, .box(Int(input.byte()))][Int(input.byte() % 3)],
          fontSize: Double(input.integer()) / 1024, lines: Int(input.byte()),
          shrunk: input.byte() > 127, truncated: input.byte() > 127,
          missingGlyphs: [input.text()]))
    }
    try require(try StoredFitReader.read(StoredFit.encode(fits)) == fits, "what is stored is read")
  }
}

/// A value that is derived from the bytes of a fuzzer.
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
        // The number makes each name unique.
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
    case .array(let items):
      writer.array { writer in
        for item in items { item.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.name(escaping: member.name)
          member.value.write(to: &writer)
        }
      }
    }
  }

  /// Whether the name of a member contains U+0000, which our parser rejects.
  var hasNameWithNUL: Bool {
    switch self {
    case .array(let items): items.contains(where: \.hasNameWithNUL)
    case .object(let members):
      members.contains { $0.name.utf8.contains(0) || $0.value.hasNameWithNUL }
    default: false
    }
  }

  func equals(_ read: JSON) -> Bool {
    switch (self, read) {
    case (.null, .null): true
    case (.flag(let flag), .bool(let read)): flag == read
    case (.integer(let integer), .number(let read)): Double(integer) == read
    case (.number(let number), .null): !number.isFinite
    case (.number(let number), .number(let read)): number == read
    case (.text(let text), .text(let read)): Array(text.utf8) == Array(read.utf8)
    case (.array(let items), .array(let read)):
      items.count == read.count && zip(items, read).allSatisfy { $0.equals($1) }
    case (.object(let members), .object(let read)):
      members.count == read.count
        && members.allSatisfy { member in read[member.name].map(member.value.equals) ?? false }
    default: false
    }
  }

  func equals(_ read: ReadValue) -> Bool {
    switch (self, read) {
    case (.null, .null): true
    case (.flag(let flag), .flag(let read)): flag == read
    case (.integer(let integer), .integer(let read)): integer == read
    case (.number(let number), .null): !number.isFinite
    case (.number(let number), .number(let read)): number == read
    // A number without a fraction is decoded as an integer.
    case (.number(let number), .integer(let read)): number == Double(read)
    // Compares bytes: texts that are only canonically equivalent are not equal.
    case (.text(let text), .text(let read)): Array(text.utf8) == Array(read.utf8)
    case (.array(let items), .array(let read)):
      items.count == read.count && zip(items, read).allSatisfy { $0.equals($1) }
    case (.object(let members), .object(let read)):
      members.count == read.count
        && members.allSatisfy { member in read[member.name].map(member.value.equals) ?? false }
    default: false
    }
  }
}

/// Any JSON value, decoded by Foundation. `JSONSerialization` would read numbers of many digits with a wrong last
/// digit.
private indirect enum ReadValue: Decodable {
  case null
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([ReadValue])
  case object([String: ReadValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let items = try? container.decode([ReadValue].self) {
      self = .array(items)
    } else {
      self = .object(try container.decode([String: ReadValue].self))
    }
  }
}

extension ReadValue {
  func equals(_ sent: JSON) -> Bool {
    switch (self, sent) {
    case (.null, .null): true
    case (.flag(let flag), .bool(let sent)): flag == sent
    case (.integer(let integer), .number(let sent)): Double(integer) == sent
    case (.number(let number), .number(let sent)): number == sent
    case (.text(let text), .text(let sent)): Array(text.utf8) == Array(sent.utf8)
    case (.array(let items), .array(let sent)):
      items.count == sent.count && zip(items, sent).allSatisfy { $0.equals($1) }
    case (.object(let members), .object(let sent)):
      members.count == sent.count
        && members.allSatisfy { name, value in sent[name].map(value.equals) ?? false }
    default: false
    }
  }
}
