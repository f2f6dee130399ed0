import YAML

extension YAML {
  /// Returns the target of `#/…` (RFC 6901 §6) in this document, or `nil`.
  func resolving(reference: YAML) -> YAML? {
    guard let text = reference.string, text.hasPrefix("#/") else { return nil }
    var node = self
    for part in text.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      let key =
        part.contains("~")
        ? String(part).replacing("~1", with: "/").replacing("~0", with: "~") : String(part)
      guard let next = node[key] ?? Int(key).flatMap({ node[$0] }) else { return nil }
      node = next
    }
    return node
  }

  /// This node, or the target of its `$ref` in `document`.
  func resolved(in document: YAML) -> YAML {
    guard let reference = self["$ref"] else { return self }
    return document.resolving(reference: reference) ?? self
  }
}
