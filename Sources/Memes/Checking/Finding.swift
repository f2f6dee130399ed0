/// A problem in the stored data.
package struct Finding: Hashable, Sendable {
  /// The kind of problem. The raw values appear in the output of a check.
  package enum Kind: String, CaseIterable, Sendable {
    /// The database file is corrupt or cannot be read.
    case damagedFile = "damaged-file"
    /// Another program created the database, or a migration has another version.
    case unknownSchema = "unknown-schema"
    /// A row refers to a row that does not exist.
    case brokenReference = "broken-reference"
    /// A row cannot be read, or has invalid values.
    case unreadableRow = "unreadable-row"
    /// A meme lacks one of its pictures.
    case missingPicture = "missing-picture"
    /// A meme has a picture for a box that it does not have.
    case surplusPicture = "surplus-picture"
    /// The bytes of a picture are missing.
    case missingBlob = "missing-blob"
    /// Bytes that belong to no picture.
    case orphanBlob = "orphan-blob"
    /// The bytes of a picture cannot be read.
    case unreadableBlob = "unreadable-blob"
    /// A picture has another number of bytes than its row says.
    case wrongLength = "wrong-length"
    /// The bytes of a picture are not those that were stored.
    case wrongDigest = "wrong-digest"
    /// A picture has another format than its row says.
    case wrongFormat = "wrong-format"
    /// A picture has another width or height than its row says.
    case wrongSize = "wrong-size"
    /// A picture cannot be decoded.
    case brokenPicture = "broken-picture"
    /// A stored counter differs from the number of rows that it counts.
    case wrongCount = "wrong-count"
    /// A change recorded for clients does not match the data.
    case wrongChange = "wrong-change"
    /// Searches by tag find other memes than those with the tag.
    case wrongTags = "wrong-tags"
  }

  package let kind: Kind
  /// Names and values: `meme=01a1… picture=image`.
  package let place: String
  package let detail: String
  /// How to repair the problem; `nil` if that is impossible.
  package let repair: RepairAction?

  package init(
    _ kind: Kind, _ place: String, _ detail: String, repair: RepairAction? = nil
  ) {
    (self.kind, self.place, self.detail, self.repair) = (kind, place, detail, repair)
  }

  package func repaired(by repair: RepairAction?) -> Finding {
    Finding(kind, place, detail, repair: repair)
  }
}

extension Finding: CustomStringConvertible {
  /// The finding as a single line.
  package var description: String {
    let detail = detail.split(whereSeparator: \.isNewline).joined(separator: "; ")
    let hint = repair.map { " (can be repaired: \($0.hint))" } ?? ""
    return "\(kind.rawValue) \(place): \(detail)\(hint)"
  }
}
