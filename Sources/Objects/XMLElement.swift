import Bytes
import CExpat

/// An element of a small XML document, without its attributes.
///
/// expat parses the document. A document with a DTD is rejected, so there are no entities to expand. Depth, count and
/// length are limited.
struct XMLElement {
  private static let maximumDepth = 8
  /// A page of 1,000 keys has about 9,000 elements.
  private static let maximumCount = 50_000

  let name: String
  fileprivate(set) var text = ""
  fileprivate(set) var children: [XMLElement] = []

  fileprivate init(name: String) { self.name = name }

  /// The text of the first child with this name.
  subscript(name: String) -> String? { children.first { $0.name == name }?.text }

  /// - Throws: ``ObjectError/unreadable(_:)``.
  init(_ bytes: Bytes) throws(ObjectError) {
    guard bytes.count <= S3Request.documentBytes else { throw .unreadable("the XML is too long") }
    guard let parser = XML_ParserCreate("UTF-8") else { throw .unavailable("out of memory") }
    defer { XML_ParserFree(parser) }
    let builder = Builder(parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(parser, begin, end)
    XML_SetCharacterDataHandler(parser, characters)
    XML_SetStartDoctypeDeclHandler(parser, doctype)
    let status = bytes.withUnsafeBytes { bytes in
      XML_Parse(
        parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count),
        Int32(XML_TRUE))
    }
    let root = withExtendedLifetime(builder) { builder.root }
    guard status == XML_STATUS_OK, let root else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw .unreadable("invalid XML: \(reason ?? "unknown error")")
    }
    self = root
  }

  /// Builds the tree while expat parses. Used on one thread.
  fileprivate final class Builder {
    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var count = 0
    private(set) var root: XMLElement?

    init(_ parser: XML_Parser) { self.parser = parser }

    func begin(_ name: String) {
      count += 1
      guard open.count < XMLElement.maximumDepth, count <= XMLElement.maximumCount else {
        return stop()
      }
      open.append(XMLElement(name: name))
    }

    func end() {
      guard let element = open.popLast() else { return }
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func add(_ text: String) {
      if !open.isEmpty { open[open.count - 1].text += text }
    }

    /// Expat reports the end as an error.
    func stop() { XML_StopParser(parser, XML_Bool(XML_FALSE)) }
  }
}

private func builder(_ context: UnsafeMutableRawPointer?) -> XMLElement.Builder? {
  context.map { Unmanaged<XMLElement.Builder>.fromOpaque($0).takeUnretainedValue() }
}

private let begin: XML_StartElementHandler = { context, name, _ in
  if let name { builder(context)?.begin(String(cString: name)) }
}

private let end: XML_EndElementHandler = { context, _ in builder(context)?.end() }

private let characters: XML_CharacterDataHandler = { context, start, count in
  let text = UnsafeRawBufferPointer(start: start, count: Int(count))
  builder(context)?.add(String(decoding: text, as: UTF8.self))
}

private let doctype: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
  builder(context)?.stop()
}
