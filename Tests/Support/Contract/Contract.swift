import Foundation
package import YAML

/// The contract in `openapi.yaml`, against which tests hold what the server answers.
package struct Contract: Sendable {
  /// A call that the contract has.
  package struct Operation: Hashable, Sendable {
    /// In capitals, as in a request.
    package let method: String
    /// The path with its parameters in braces, as in `/memes/{id}`.
    package let pathTemplate: String
    package let operationID: String?
  }

  /// The whole document.
  package let document: YAML

  package init(document: YAML) { self.document = document }

  /// Reads `openapi.yaml` at the root of the repository that this file is in.
  package static func ofThisRepository() throws -> Contract {
    // Tests/Support/Contract/Contract.swift
    let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
      path.deletingLastPathComponent()
    }
    let text = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
    return Contract(document: try YAML(parsing: text))
  }

  /// Every call, in the document's order. HEAD, which is there wherever GET is, is not listed.
  package var operations: [Operation] {
    (document["paths"]?.mapping ?? YAMLMapping()).flatMap { path in
      (path.value.mapping ?? YAMLMapping()).compactMap { item in
        guard Self.methods.contains(item.key) else { return nil }
        return Operation(
          method: item.key.uppercased(), pathTemplate: path.key,
          operationID: item.value["operationId"]?.string)
      }
    }
  }

  /// The node, or what its `$ref` points to.
  package func resolved(_ node: YAML) -> YAML { node.resolved(in: document) }

  private static let methods: Set<String> = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  /// What the contract says of an answer, or `nil` where it does not foresee it.
  ///
  /// OPTIONS has the answers of `x-options` everywhere; a method that the path does not take, and a path that is not
  /// there, have those of `x-any-request`.
  func response(method: String, pathTemplate: String, status: Int) -> YAML? {
    let path = document["paths"]?[pathTemplate]
    // HEAD is answered as GET is, without the body (RFC 9110 §9.3.2).
    let operation =
      path?[method.lowercased()] ?? (method.uppercased() == "HEAD" ? path?["get"] : nil)
    let other = document[method == "OPTIONS" ? "x-options" : "x-any-request"]
    let responses = (operation ?? other)?["responses"]
    return responses?[String(status)]?.resolved(in: document)
  }
}
