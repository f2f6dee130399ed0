import HTTP
import JSON
import Memes
import Services
import Storage

extension ConnectionRoutes {
  var mappingRoutes: [Route] {
    [
      route(.post, "/connections/{id}/mappings", body: body, add),
      route(.get, "/mappings/{id}") { [store] call in
        ConnectionJSON.response(try await store.mapping(call.id(), for: call.viewer))
      },
      route(.put, "/mappings/{id}", body: body, replace),
      route(.delete, "/mappings/{id}") { [store] call in
        try await store.deleteMapping(call.id(), by: call.viewer)
        return .noContent
      },
      route(.post, "/mappings/{id}/actions/reload") { [store] call in
        ConnectionJSON.response(try await store.reload(call.id(), by: call.viewer), .accepted)
      },
    ]
  }

  private func add(_ call: Call) async throws -> Response {
    let id: ConnectionID = try call.id()
    return ConnectionJSON.response(
      try await connections.addMapping(call.mappingTerms(), to: id, by: call.viewer), .created)
  }

  private func replace(_ call: Call) async throws -> Response {
    let id: MappingID = try call.id()
    return ConnectionJSON.response(
      try await store.replaceMapping(id, with: call.mappingTerms(), by: call.viewer))
  }
}

extension Call {
  fileprivate func mappingTerms() throws -> Mapping.Terms {
    var fields = try FieldDecoder(
      people: request.body, known: ["events", "filter", "format", "fields"])
    let terms = fields.mappingTerms()
    try fields.finish()
    guard let terms else { throw Problem(.invalidInput) }
    return terms
  }
}

extension FieldDecoder {
  /// Reads the terms of a mapping; `nil` if a field is invalid.
  mutating func mappingTerms() -> Mapping.Terms? {
    let events = words("events", among: EventKind.allCases.map(\.rawValue))
    if !has("events") || isNull("events") { require(["events"]) }
    let filter = object("filter", known: ["author", "visibility", "tag"]) { fields in
      Mapping.Filter(
        author: fields.text("author", Username.init(_:)),
        visibility: fields.word("visibility", Visibility.self),
        tag: fields.text("tag") { text in try Tag(text) })
    }
    let format = word("format", MessageFormat.self) ?? .json
    let names = words("fields", among: MemeFields.names)
    if names != nil, format != .json {
      reject("fields", code: "not-allowed", "Only the format json has fields.")
    }
    guard let kinds = events.flatMap({ EventKinds(Set($0.compactMap(EventKind.init(rawValue:)))) })
    else {
      if events != nil { reject("events", code: "empty", "Name at least one event.") }
      return nil
    }
    return Mapping.Terms(
      events: kinds, filter: filter ?? Mapping.Filter(),
      format: format, fields: names.flatMap(MemeFields.init(names:)))
  }

  /// Reads an array of words.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  private mutating func words(_ name: String, among known: [String]) -> [String]? {
    guard let json = sentJSON(name), json != .null else { return nil }
    guard case .array(let elements) = json else {
      reject(name, code: "not-an-array", "Must be a JSON array.")
      return nil
    }
    let words = elements.compactMap { element in
      if case .text(let text) = element, known.contains(text) { text } else { nil }
    }
    guard words.count == elements.count else {
      reject(name, code: "not-allowed", "Each must be one of: \(known.joined(separator: ", ")).")
      return nil
    }
    return words
  }
}
