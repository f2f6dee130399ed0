import Bytes
import Foundation
import HTTP
import Testing

@Suite struct FormReaderTests {
  private func read(
    _ parts: [(String, [UInt8])], spoolDirectory: String? = nil
  ) throws(Problem) -> [String: FormPart.Content] {
    let form = try form(parts, spoolDirectory: spoolDirectory)
    #expect(form.parts.map(\.name) == parts.map(\.0))
    return Dictionary(
      form.parts.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
  }

  private func form(
    _ parts: [(String, [UInt8])], spoolDirectory: String? = nil
  ) throws(Problem) -> Form {
    let rule = FormRule(
      fields: ["text": .text(maximumBytes: 10), "file": .file(maximumBytes: 200_000)],
      maximumParts: 5,
      spool: SpoolPlace(
        directory: spoolDirectory ?? NSTemporaryDirectory(),
        memoryBytes: spoolDirectory == nil ? 64 << 20 : 0))
    let reader = try FormReader(contentType: "multipart/form-data; boundary=b", rule: rule)
    var body: [UInt8] = []
    for (name, bytes) in parts {
      body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + bytes
      body += [13, 10]
    }
    body += Array("--b--\r\n".utf8)
    var rest = Bytes(body)
    while let piece = rest.slice(0..<min(rest.count, 5000)), !piece.isEmpty {
      try piece.withUnsafeBytes { bytes throws(Problem) in try reader.receive(bytes) }
      rest = rest.slice(piece.count..<rest.count) ?? Bytes()
    }
    guard case .form(let form) = try reader.finish() else { return Form(parts: []) }
    return form
  }

  @Test func `text and files are kept, byte by byte`() throws {
    let large = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let parts = try read([("text", Array("0123456789".utf8)), ("file", large)])
    guard case .bytes(let text) = parts["text"], case .bytes(let file) = parts["file"] else {
      Issue.record("a part is missing")
      return
    }
    #expect(text.utf8Text == "0123456789" && file == Bytes(large))
  }

  @Test func `an empty field is present and empty`() throws {
    let parts = try read([("text", []), ("file", [])])
    for name in ["text", "file"] {
      guard case .bytes(let bytes) = parts[name] else {
        Issue.record("\(name) is missing")
        continue
      }
      #expect(bytes.isEmpty)
    }
  }

  @Test func `oversized and unknown parts are recorded without their bytes`() throws {
    let parts = try read([
      ("text", Array(repeating: 65, count: 11)), ("file", Array(repeating: 65, count: 200_001)),
      ("stranger", Array(repeating: 65, count: 100_000)),
    ])
    guard case .tooLarge = parts["text"], case .tooLarge = parts["file"],
      case .unknown = parts["stranger"]
    else {
      Issue.record("kept: \(parts)")
      return
    }
  }

  @Test func `repeated parts are recorded without their bytes`() throws {
    let form = try form([
      ("text", [65]), ("file", [66]), ("text", [67]), ("file", [68]), ("text", [69]),
    ])
    let kept = form.parts.map { part in
      switch part.content {
      case .bytes(let bytes): "\(part.name) \(bytes.utf8Text ?? "")"
      case .repeated: "\(part.name) repeated"
      case .tooLarge, .unknown: part.name
      }
    }
    #expect(kept == ["text A", "file B", "text repeated", "file repeated", "text repeated"])
  }

  @Test func `a form with too many parts is malformed`() throws {
    #expect(try read(Array(repeating: ("x", []), count: 5)).count == 1)
    #expect { try read(Array(repeating: ("x", []), count: 6)) } throws: {
      ($0 as? Problem)?.kind == .malformedRequest
    }
  }

  @Test func `a spool failure is an internal error`() throws {
    let large = [UInt8](repeating: 1, count: 100_000)
    #expect { try read([("file", large)], spoolDirectory: "/no/such/folder") } throws: {
      ($0 as? Problem)?.kind == .internalError
    }
    #expect { try read([("file", large)], spoolDirectory: "/dev/full") } throws: {
      ($0 as? Problem)?.kind == .internalError
    }
  }

  @Test func `a body that ends early is malformed`() throws {
    let rule = FormRule(fields: [:], spool: SpoolPlace(directory: "/"))
    let reader = try FormReader(contentType: "multipart/form-data; boundary=b", rule: rule)
    try Bytes("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx").withUnsafeBytes {
      bytes throws(Problem) in try reader.receive(bytes)
    }
    #expect { try reader.finish() } throws: { ($0 as? Problem)?.kind == .malformedRequest }
  }
}
