package import Bytes
import HTTP
import JSON
import Memes

/// A list of memes to import, next to their picture files. Its format is CSV with a header line, a JSON array of
/// objects, or JSON Lines. Its fields are those of `POST /memes`, and `file`, `createdAt` and `author`.
///
/// In addition to the text, only the positions of its rows are in memory, so a list may have millions of rows. Safe to
/// use from any thread.
package struct MemeList: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case csv
    case jsonLines = "jsonl"
    case json
  }

  /// The position of a row.
  package struct Row: Sendable {
    /// Counted from 1, as in editors.
    package let line: Int
    let range: Range<Int>
    let createdAt: Timestamp?
  }

  /// The reason why the list cannot be read at all.
  package struct Invalid: Error, CustomStringConvertible {
    package let description: String
  }

  /// The maximum size of a row's text, in bytes. It allows every field at its maximum length, and escapes.
  package static let maximumRowBytes = 1 << 20

  package let kind: Kind
  /// The rows in import order: by creation time. Rows without one come last.
  package let rows: [Row]
  let text: Bytes
  /// The column names of CSV; empty for JSON.
  let columns: [String]
  /// The offset of the first row.
  private let start: Int

  package init(_ text: Bytes, _ kind: Kind) throws(Invalid) {
    let start = Self.startOfText(text)
    (self.text, self.kind) = (text, kind)
    let found: [Row]
    switch kind {
    case .csv:
      let header = try Self.header(of: text, from: start)
      (columns, self.start) = (header.columns, header.end)
      found = Self.records(of: text, header)
    case .jsonLines:
      (columns, self.start) = ([], start)
      found = Self.lines(of: text, from: start)
    case .json:
      (columns, self.start) = ([], start)
      found = try Self.elements(of: text, from: start)
    }
    rows = Self.ordered(found)
  }

  /// Returns the list with only these rows, as they are written, in their order in the list.
  package func copy(of rows: [Row]) -> Bytes {
    let rows = rows.sorted { $0.range.lowerBound < $1.range.lowerBound }
    return text.withUnsafeBytes { text in
      var writer = ByteWriter(capacity: 4096)
      writer.append(UnsafeRawBufferPointer(rebasing: text[..<start]))
      if kind == .json { writer.append("[\n") }
      for (index, row) in rows.enumerated() {
        if kind == .json, index > 0 { writer.append(",\n") }
        writer.append(UnsafeRawBufferPointer(rebasing: text[row.range]))
        if kind != .json { writer.append("\n") }
      }
      if kind == .json { writer.append("\n]\n") }
      return writer.finish()
    }
  }

  private static func ordered(_ rows: [Row]) -> [Row] {
    let latest = Timestamp(millisecondsSince1970: .max)
    return rows.enumerated().sorted { left, right in
      let times = (left.element.createdAt ?? latest, right.element.createdAt ?? latest)
      return times.0 == times.1 ? left.offset < right.offset : times.0 < times.1
    }.map(\.element)
  }

  /// The offset after the byte order mark, if there is one.
  private static func startOfText(_ text: Bytes) -> Int {
    text.withUnsafeBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
  }
}

/// Finds the rows.
extension MemeList {
  private struct Header {
    let columns: [String]
    let end: Int
  }

  private static func header(of text: Bytes, from start: Int) throws(Invalid) -> Header {
    try text.withUnsafeBytes { text throws(Invalid) in
      var csv = CSV(text, from: start)
      guard csv.next() != nil else { throw Invalid(description: "The list is empty.") }
      var columns: [String] = []
      for field in csv.fields {
        columns.append(csv.bytes(of: field).utf8Text ?? "\u{FFFD}")
      }
      guard csv.fault == nil, columns.contains("file") else {
        throw Invalid(
          description: "The first line must list the columns, including file. \(hint)")
      }
      let unknown = columns.filter { !fieldNames.contains($0) }
      guard unknown.isEmpty else {
        throw Invalid(
          description:
            "Unknown columns: \(unknown.joined(separator: ", ")). \(hint)")
      }
      guard Set(columns).count == columns.count else {
        throw Invalid(description: "The first line contains a column twice.")
      }
      return Header(columns: columns, end: csv.position)
    }
  }

  private static let hint = "Use commas between columns, and UTF-8."

  private static func records(of text: Bytes, _ header: Header) -> [Row] {
    let column = header.columns.firstIndex(of: "createdAt")
    return text.withUnsafeBytes { text in
      var csv = CSV(text, from: header.end)
      var lines = LineCount(text)
      var rows: [Row] = []
      while let range = csv.next() {
        if range.isEmpty { continue }
        let isWhole = csv.fault == nil
        let field = column.flatMap {
          isWhole && csv.fields.indices.contains($0) ? csv.fields[$0] : nil
        }
        rows.append(
          Row(
            line: lines.line(of: range.lowerBound), range: range,
            createdAt: field.flatMap { csv.bytes(of: $0).utf8Text }.flatMap(time)))
      }
      return rows
    }
  }

  private static func lines(of bytes: Bytes, from start: Int) -> [Row] {
    bytes.withUnsafeBytes { text in
      var (rows, line, start): ([Row], Int, Int) = ([], 1, start)
      while start < text.count {
        let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        if text[start..<end].contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
          rows.append(
            Row(line: line, range: start..<end, createdAt: time(of: start..<end, in: bytes)))
        }
        (start, line) = (end + 1, line + 1)
      }
      return rows
    }
  }

  private static func elements(of bytes: Bytes, from start: Int) throws(Invalid) -> [Row] {
    try bytes.withUnsafeBytes { text throws(Invalid) in
      var lines = LineCount(text)
      do throws(JSONElements.NotAnArray) {
        var elements = try JSONElements(text, from: start)
        var rows: [Row] = []
        while let range = try elements.next() {
          rows.append(
            Row(
              line: lines.line(of: range.lowerBound), range: range,
              createdAt: time(of: range, in: bytes)))
        }
        return rows
      } catch {
        throw Invalid(
          description: """
            The file is not a JSON array (line \(lines.line(of: error.offset))). Use .jsonl for one object per line.
            """)
      }
    }
  }

  /// The `createdAt` of a row in JSON; `nil` if it is missing or invalid. Errors are reported when the row is read.
  private static func time(of range: Range<Int>, in text: Bytes) -> Timestamp? {
    guard range.count <= maximumRowBytes, let row = text.slice(range),
      case .object(let object) = try? JSON(parsing: row), case .text(let text) = object["createdAt"]
    else { return nil }
    return time(text)
  }

  private static func time(_ text: String) -> Timestamp? { try? Timestamp(text) }

  /// Computes line numbers of ascending offsets.
  private struct LineCount {
    private let text: UnsafeRawBufferPointer
    private var (place, line) = (0, 1)

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    mutating func line(of next: Int) -> Int {
      let next = min(max(next, place), text.count)
      line += text[place..<next].count { $0 == UInt8(ascii: "\n") }
      place = next
      return line
    }
  }
}
