import CExpat

/// An XML document as expat, an independent parser, reads it.
final class ParsedXML {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// The namespace, a space, and the local name.
  let name: String
  let attributes: [String: String]
  private(set) var text = ""
  private(set) var children: [ParsedXML] = []

  private init(_ name: String, _ attributes: [String: String] = [:]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// The children with this name in Atom's namespace.
  func all(_ name: String) -> [ParsedXML] {
    children.filter { $0.name == "http://www.w3.org/2005/Atom \(name)" }
  }

  /// The text of the only child with this name in Atom's namespace.
  subscript(name: String) -> String? { all(name).count == 1 ? all(name).first?.text : nil }

  /// The links with this relation.
  func links(_ relation: String) -> [[String: String]] {
    all("link").map(\.attributes).filter { $0["rel"] == relation }
  }

  /// - Throws: ``Malformed`` if the document is not well-formed.
  static func parse(_ bytes: [UInt8]) throws -> ParsedXML {
    guard let parser = XML_ParserCreateNS(nil, 0x20) else { throw Malformed(description: "memory") }
    defer { XML_ParserFree(parser) }
    let stack = Stack()
    XML_SetUserData(parser, Unmanaged.passUnretained(stack).toOpaque())
    XML_SetStartElementHandler(parser) { context, name, attributes in
      guard let context, let name else { return }
      var (fields, place): ([String: String], Int) = ([:], 0)
      while let field = attributes?[place], let value = attributes?[place + 1] {
        fields[String(cString: field)] = String(cString: value)
        place += 2
      }
      Stack.at(context).open.append(ParsedXML(String(cString: name), fields))
    }
    XML_SetEndElementHandler(parser) { context, _ in
      guard let context, let element = Stack.at(context).open.popLast() else { return }
      Stack.at(context).open.last?.children.append(element)
    }
    XML_SetCharacterDataHandler(parser) { context, start, count in
      guard let context else { return }
      let piece = UnsafeRawBufferPointer(start: start, count: Int(count))
      Stack.at(context).open.last?.text += String(decoding: piece, as: UTF8.self)
    }
    let status = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        XML_Parse(parser, $0.baseAddress, Int32($0.count), Int32(XML_TRUE))
      }
    }
    guard status == XML_STATUS_OK, let root = stack.root.children.first else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? ""
      throw Malformed(description: reason)
    }
    return root
  }

  private final class Stack {
    let root = ParsedXML("")
    lazy var open = [root]

    static func at(_ context: UnsafeMutableRawPointer) -> Stack {
      Unmanaged<Stack>.fromOpaque(context).takeUnretainedValue()
    }
  }
}
