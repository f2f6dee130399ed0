import Bytes

@testable import Objects

extension FuzzTarget {
  /// The XML of an object store.
  static let xml = FuzzTarget(name: "xml", maximumBytes: 4096) { bytes in
    guard let root = try? XMLElement(Bytes(bytes)) else { return }
    try require(!root.name.isEmpty, "an element has a name")
    try require(depth(of: root) <= 8, "depth is limited")
    let page = try? ObjectPage(root, in: S3Address("s3://bucket/p"))
    for key in page?.keys ?? [] {
      try require(ObjectKey(key.text) == key, "a key of a list is a key")
    }
    try require(page?.next?.token != "", "a next page has a token")
  }

  private static func depth(of element: XMLElement) -> Int {
    1 + (element.children.map { depth(of: $0) }.max() ?? 0)
  }
}
