extension YAML {
  /// Parses one document.
  ///
  /// Rejects anchors, aliases and custom tags. Blocks the calling thread until it is done; safe on any thread.
  ///
  /// - Parameter text: UTF-8, or UTF-16 with a byte order mark.
  package init(
    parsing text: UnsafeRawBufferPointer, limits: YAMLLimits = YAMLLimits()
  ) throws(YAMLError) {
    guard text.count <= limits.bytes else { throw YAMLError(.tooLarge, line: 1, column: 1) }
    var builder = TreeBuilder(events: try EventReader(text), limits: limits)
    self = try builder.document()
  }

  /// Parses one document.
  package init(parsing text: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: text.utf8)
    try self.init(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
  }
}

/// Builds the tree of values from the parser's events.
private struct TreeBuilder: ~Copyable {
  private let events: EventReader
  private let limits: YAMLLimits
  private var nodes = 0

  init(events: consuming EventReader, limits: YAMLLimits) {
    self.events = events
    self.limits = limits
  }

  mutating func document() throws(YAMLError) -> YAML {
    let start = try events.next()
    guard case .documentStart = start.kind else { throw start.error(.notOneDocument) }
    let tree = try node(try events.next(), depth: 0)
    let end = try events.next()
    guard case .streamEnd = end.kind else { throw end.error(.notOneDocument) }
    return tree
  }

  private mutating func node(_ event: Event, depth: Int) throws(YAMLError) -> YAML {
    nodes += 1
    guard nodes <= limits.nodes else { throw event.error(.tooManyNodes) }
    guard depth <= limits.depth else { throw event.error(.tooDeep) }
    switch event.kind {
    case .scalar(let scalar): return try value(of: scalar, event)
    case .sequenceStart: return try sequence(depth: depth)
    case .mappingStart: return try mapping(depth: depth)
    case .alias: throw event.error(.aliasNotSupported)
    case .documentStart, .sequenceEnd, .mappingEnd, .streamEnd: throw event.error(.notOneDocument)
    }
  }

  private mutating func sequence(depth: Int) throws(YAMLError) -> YAML {
    var items: [YAML] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event.kind { return .sequence(items) }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(depth: Int) throws(YAMLError) -> YAML {
    var mapping = YAMLMapping()
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return .mapping(mapping) }
      if case .alias = event.kind { throw event.error(.aliasNotSupported) }
      guard case .scalar(let key) = event.kind else { throw event.error(.keyIsNotScalar) }
      nodes += 1
      let value = try node(try events.next(), depth: depth + 1)
      guard mapping.append(key.text, value) else {
        throw event.error(.duplicateKey(key.text))
      }
    }
  }

  private func value(of scalar: Event.Scalar, _ event: Event) throws(YAMLError) -> YAML {
    guard let tag = scalar.tag else {
      guard scalar.isPlain else { return .string(scalar.text) }
      guard let value = CoreSchema.resolve(scalar.text) else {
        throw event.error(.invalidScalar(scalar.text))
      }
      return value
    }
    if tag == "tag:yaml.org,2002:str" || tag == "!" { return .string(scalar.text) }
    throw event.error(.tagNotSupported(tag))
  }
}
