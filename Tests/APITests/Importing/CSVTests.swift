import Bytes
import Support
import Testing

@testable import API

/// RFC 4180 and common deviations from it.
struct CSVTests {
  private func records(_ text: [UInt8]) -> [[String]] {
    text.withUnsafeBytes { text in
      var csv = CSV(text)
      var records: [[String]] = []
      while csv.next() != nil {
        records.append(csv.fields.map { csv.bytes(of: $0).utf8Text ?? "not UTF-8" })
      }
      return records
    }
  }

  @Test(
    arguments: [
      ("", []),
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
      ("a\rb\r", [["a"], ["b"]]),
      (",\n", [["", ""]]),
      ("a,", [["a", ""]]),
      ("\n\r\n\n", [[""], [""], [""]]),
      (#""a,b","c""d","#, [["a,b", #"c"d"#, ""]]),
      ("\"one\r\ntwo\n\nthree\",x\ny", [["one\r\ntwo\n\nthree", "x"], ["y"]]),
      (#""""""",b"#, [[#""""#, "b"]]),
      (#"5" pipe,"","#, [[#"5" pipe"#, "", ""]]),
      ("😀,\"é\",שלום", [["😀", "é", "שלום"]]),
    ] as [(String, [[String]])])
  func `records and fields are separated`(text: String, expected: [[String]]) {
    #expect(records(Array(text.utf8)) == expected)
  }

  @Test func `a quoting error is reported, and the next record is read`() {
    let text = Array("a,\"b\"c,d\n\"e\",f\n\"g,h\ni".utf8)
    text.withUnsafeBytes { text in
      var csv = CSV(text)
      #expect(csv.next() == 0..<8)
      #expect(csv.fault == .textBehindQuote)
      #expect(csv.fields.map { csv.bytes(of: $0).utf8Text } == ["a", "b", "d"])
      #expect(csv.next() == 9..<14)
      #expect(csv.fault == nil)
      #expect(csv.next() == 15..<text.count)
      #expect(csv.fault == .openQuote)
      #expect(csv.next() == nil)
    }
  }

  @Test func `a record with a million fields takes bounded memory`() {
    let text = [UInt8](repeating: UInt8(ascii: ","), count: 1_000_000)
    text.withUnsafeBytes { text in
      var csv = CSV(text)
      #expect(csv.next() == 0..<text.count)
      #expect(csv.fields.count == CSV.maximumFields + 1)
      #expect(csv.next() == nil)
    }
  }

  @Test func `written records are read back unchanged`() {
    var random = SeededRandom(4180)
    let pieces = [
      "\"", ",", "\r", "\n", "\r\n", " ", "a", "é", "😀", "\u{0}", "\u{FEFF}", ";", "\t",
    ]
    for _ in 0..<500 {
      let record = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      }
      var writer = ByteWriter()
      for (index, field) in record.enumerated() {
        if index > 0 { writer.append(UInt8(ascii: ",")) }
        CSV.append(field, to: &writer)
      }
      writer.append("\r\n")
      let text = writer.finish().withUnsafeBytes { Array($0) }
      #expect(records(text) == [record])
    }
  }
}
