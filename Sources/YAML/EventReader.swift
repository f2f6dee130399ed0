import CYAML

/// An event of libyaml's parser, copied out of the parser's memory.
struct Event {
  struct Scalar {
    let text: String
    /// Whether the scalar has neither quotes nor block style. Its type then depends on its text.
    let isPlain: Bool
    let tag: String?
  }

  enum Kind {
    case documentStart
    case scalar(Scalar)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
    case alias
    case streamEnd
  }

  let kind: Kind
  /// Starts at 1.
  let line: Int
  /// Starts at 1.
  let column: Int

  func error(_ reason: YAMLError.Reason) -> YAMLError {
    YAMLError(reason, line: line, column: column)
  }
}

/// Pulls events from libyaml. The text must outlive the reader.
struct EventReader: ~Copyable {
  // libyaml's parser contains pointers into itself, so it must not move: it is allocated on the heap.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  init(_ text: UnsafeRawBufferPointer) throws(YAMLError) {
    guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self), !text.isEmpty else {
      throw YAMLError(.notOneDocument, line: 1, column: 1)
    }
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw YAMLError(.outOfMemory, line: 1, column: 1)
    }
    self.parser = parser
    yaml_parser_set_input_string(parser, start, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next relevant event. Skips the starts of streams and the ends of documents.
  func next() throws(YAMLError) -> Event {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
      defer { yaml_event_delete(&event) }
      guard let kind = try kind(of: event) else { continue }
      return Event(
        kind: kind, line: event.start_mark.line + 1, column: event.start_mark.column + 1)
    }
  }

  private func kind(of event: yaml_event_t) throws(YAMLError) -> Event.Kind? {
    switch event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: return nil
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    case YAML_ALIAS_EVENT: return .alias
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      guard scalar.anchor == nil else { return .alias }
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        Event.Scalar(
          text: String(decoding: bytes, as: UTF8.self),
          isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
          tag: Self.text(scalar.tag)))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return start.anchor == nil ? try collection(.sequenceStart, start.tag, event) : .alias
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return start.anchor == nil ? try collection(.mappingStart, start.tag, event) : .alias
    default: return .streamEnd
    }
  }

  private func collection(
    _ kind: Event.Kind, _ tag: UnsafeMutablePointer<yaml_char_t>?, _ event: yaml_event_t
  ) throws(YAMLError) -> Event.Kind {
    guard let tag = Self.text(tag) else { return kind }
    throw YAMLError(
      .tagNotSupported(tag), line: event.start_mark.line + 1, column: event.start_mark.column + 1)
  }

  private func failure() -> YAMLError {
    let state = parser.pointee
    // For a byte that is not UTF-8, libyaml reports only an offset. The line is unknown, so use the parser's position.
    let line = state.error == YAML_READER_ERROR ? state.mark.line : state.problem_mark.line
    let column = state.error == YAML_READER_ERROR ? state.mark.column : state.problem_mark.column
    guard state.error != YAML_MEMORY_ERROR else {
      return YAMLError(.outOfMemory, line: line + 1, column: column + 1)
    }
    let problem = state.problem.map { String(cString: $0) } ?? "invalid YAML"
    return YAMLError(.syntax(problem), line: line + 1, column: column + 1)
  }

  private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let characters else { return nil }
    return String(decodingCString: UnsafePointer(characters), as: UTF8.self)
  }
}
