/// Finds the endpoint for a method and a path. A literal segment takes precedence over a parameter, and a parameter
/// over the rest of a path.
package struct Router<Endpoint: Sendable>: Sendable {
  /// The endpoint, and the values of the pattern's parameters.
  package struct Match: Sendable {
    package let endpoint: Endpoint
    package let parameters: Parameters
  }

  private struct Node: Sendable {
    var literals: [String: Node] = [:]
    var parameter = Child.none
    /// The endpoints for one or more segments after this one.
    var rest: [Method: Endpoint] = [:]
    var endpoints: [Method: Endpoint] = [:]

    mutating func insert(
      _ endpoint: Endpoint, _ method: Method, _ segments: ArraySlice<RoutePattern.Segment>
    ) {
      switch segments.first {
      case nil:
        endpoints[method] = endpoint
      case .literal(let text):
        literals[text, default: Node()].insert(endpoint, method, segments.dropFirst())
      case .parameter(let name):
        var node = if case .named(_, let node) = parameter { node } else { Node() }
        node.insert(endpoint, method, segments.dropFirst())
        parameter = .named(name, node)
      case .rest:
        rest[method] = endpoint
      }
    }
  }

  private indirect enum Child: Sendable {
    case none
    case named(String, Node)
  }

  private var root = Node()

  package init() {}

  /// The methods that at least one path supports.
  package private(set) var methods: Set<Method> = []

  /// Adds an endpoint for `method` at `pattern`. It replaces an earlier one.
  package mutating func add(_ method: Method, _ pattern: RoutePattern, _ endpoint: Endpoint) {
    root.insert(endpoint, method, pattern.segments[...])
    methods.insert(method)
  }

  /// - Throws: 404 if no pattern has this path; 405 if one has, but not for this method.
  package func match(_ method: Method, _ segments: [String]) throws(Problem) -> Match {
    let (endpoints, parameters) = try resource(at: segments)
    // HEAD is GET without the body (RFC 9110 §9.3.2).
    let endpoint = endpoints[method] ?? (method == .head ? endpoints[.get] : nil)
    if let endpoint { return Match(endpoint: endpoint, parameters: parameters) }
    throw Problem(
      .methodNotAllowed, headers: Headers([(.allow, Method.allow(endpoints.keys))]))
  }

  /// The endpoints of this path by method, at least one.
  ///
  /// - Throws: 404 if no pattern has this path.
  package func endpoints(at segments: [String]) throws(Problem) -> [Method: Endpoint] {
    try resource(at: segments).endpoints
  }

  private func resource(
    at segments: [String]
  ) throws(Problem) -> (endpoints: [Method: Endpoint], parameters: Parameters) {
    var node = root
    var parameters = Parameters()
    for (index, segment) in segments.enumerated() {
      if let next = node.literals[segment] {
        node = next
      } else if case .named(let name, let next) = node.parameter, !segment.isEmpty {
        parameters.append(name, segment)
        node = next
      } else if !node.rest.isEmpty {
        parameters.rest = Array(segments[index...])
        return (node.rest, parameters)
      } else {
        throw Problem(.notFound)
      }
    }
    guard !node.endpoints.isEmpty else { throw Problem(.notFound) }
    return (node.endpoints, parameters)
  }
}

/// The values of the parameters of a route's pattern.
package struct Parameters: Sendable {
  private var values: [(name: String, value: String)] = []
  /// The segments that matched the rest of the pattern, percent-decoded. They can be empty.
  package internal(set) var rest: [String] = []

  package init() {}

  mutating func append(_ name: String, _ value: String) { values.append((name, value)) }

  /// The segment that matched the parameter, percent-decoded.
  package subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }
}
