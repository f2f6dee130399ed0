import Foundation
package import YAML

/// The contract in `openapi.yaml`, against which tests check the responses of the server.
package struct Contract: Sendable {
  /// An operation of the contract.
  package struct Operation: Hashable, Sendable {
    /// In upper case, as in a request.
    package let method: String
    /// The path with its parameters in braces, as in `/memes/{id}`.
    package let pathTemplate: String
    package let operationID: String?
    /// Whether the last parameter of the path matches all segments that are left.
    package let matchesRest: Bool
  }

  /// The whole document.
  package let document: YAML

  package init(document: YAML) { self.document = document }

  /// Reads `openapi.yaml` at the root of this repository.
  package static func ofThisRepository() throws -> Contract {
    // Tests/Support/Contract/Contract.swift
    let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
      path.deletingLastPathComponent()
    }
    let text = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
    return Contract(document: try YAML(parsing: text))
  }

  /// Every operation, in the order of the document. HEAD is not listed, because every path with GET has it.
  package var operations: [Operation] {
    (document["paths"]?.mapping ?? YAMLMapping()).flatMap { path -> [Operation] in
      let parameters = (path.value["parameters"]?.sequence ?? []).map(resolved)
      let matchesRest = parameters.contains { $0["x-matches-rest"]?.bool == true }
      return (path.value.mapping ?? YAMLMapping()).compactMap { item in
        guard Self.methods.contains(item.key) else { return nil }
        return Operation(
          method: item.key.uppercased(), pathTemplate: path.key,
          operationID: item.value["operationId"]?.string, matchesRest: matchesRest)
      }
    }
  }

  /// The node, or the target of its `$ref`.
  package func resolved(_ node: YAML) -> YAML { node.resolved(in: document) }

  private static let methods: Set<String> = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  /// The definition of a response in the contract.
  struct DefinedResponse {
    let node: YAML
    /// The codes that its problem can have. Empty for a response that is no problem.
    let codes: Set<String>
    /// A header that the response must have, although `node` does not require it.
    var header: String?
  }

  /// Returns the definition of a response in the contract, or `nil` if the contract does not have it.
  ///
  /// OPTIONS has the responses of `x-options` for every path. Methods that the path does not support, and unknown
  /// paths, have the responses of `x-any-request`. The response `default` stands for the problems of
  /// ``GenericProblem``, and for no others.
  func response(method: String, pathTemplate: String, status: Int) -> DefinedResponse? {
    let item = document["paths"]?[pathTemplate]
    // HEAD has the responses of GET, without a body (RFC 9110 §9.3.2).
    let operation =
      item?[method.lowercased()] ?? (method.uppercased() == "HEAD" ? item?["get"] : nil)
    let other = document[method == "OPTIONS" ? "x-options" : "x-any-request"]
    let responses = (operation ?? other)?["responses"]
    if let node = responses?[String(status)]?.resolved(in: document) {
      let codes = node["x-problem-codes"]?.sequence?.compactMap(\.string) ?? []
      return DefinedResponse(node: node, codes: Set(codes))
    }
    guard let node = responses?["default"]?.resolved(in: document),
      let problem = GenericProblem.of(
        status: status, method: method.uppercased(), operation: operation, item: item, in: document)
    else { return nil }
    return DefinedResponse(node: node, codes: problem.codes, header: problem.header)
  }
}
