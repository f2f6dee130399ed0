package import Bytes

/// The API contract in its three forms.
package struct ContractFiles: Sendable {
  package let yaml: Bytes
  package let json: Bytes
  /// OpenAPI 3.0, for tools that do not read 3.1.
  package let yaml30: Bytes

  package init(yaml: Bytes, json: Bytes, yaml30: Bytes) {
    (self.yaml, self.json, self.yaml30) = (yaml, json, yaml30)
  }

  /// The contract with this address of the server, in `servers` and in the examples.
  ///
  /// - Parameter url: the public URL, without a trailing slash. The contract does not change if the URL has characters
  ///   that YAML, JSON or a shell would have to escape.
  package func at(_ url: String) -> ContractFiles {
    guard url.utf8.allSatisfy(Self.needsNoEscape) else { return self }
    return ContractFiles(
      yaml: yaml.replacing(["- url: /\n": "- url: \(url)\n", Self.exampleURL: url]),
      json: json.replacing([#""url": "/""#: #""url": "\#(url)""#, Self.exampleURL: url]),
      yaml30: yaml30.replacing(["- url: /\n": "- url: \(url)\n", Self.exampleURL: url]))
  }

  /// The address in the examples of the contract.
  private static let exampleURL = "http://127.0.0.1:8080"

  private static func needsNoEscape(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~:/[]%".utf8.contains(character)
    }
  }
}

extension Bytes {
  fileprivate func replacing(_ texts: KeyValuePairs<String, String>) -> Bytes {
    var text = withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    for (old, new) in texts { text.replace(old, with: new) }
    return Bytes(text)
  }
}
