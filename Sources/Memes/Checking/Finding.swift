/// Something that is not as it ought to be in what is kept.
package struct Finding: Hashable, Sendable {
  /// What is wrong. The raw values are what people search for in the output of a check.
  package enum Kind: String, CaseIterable, Sendable {
    /// The database's file does not have the structure of one, or cannot be read.
    case damagedFile = "damaged-file"
    /// The database was made by another program, or by another version of a migration.
    case unknownSchema = "unknown-schema"
    /// A row refers to one that is not there.
    case brokenReference = "broken-reference"
    /// A row cannot be read, or holds what it cannot hold.
    case unreadableRow = "unreadable-row"
    /// A meme lacks one of its pictures.
    case missingPicture = "missing-picture"
    /// A picture's bytes are not there.
    case missingBlob = "missing-blob"
    /// Bytes belong to no picture.
    case orphanBlob = "orphan-blob"
    /// A picture's bytes cannot be read.
    case unreadableBlob = "unreadable-blob"
    /// A picture has more or fewer bytes than its row says.
    case wrongLength = "wrong-length"
    /// A picture's bytes are not those that were stored.
    case wrongDigest = "wrong-digest"
    /// A picture is of another kind than its row says.
    case wrongFormat = "wrong-format"
    /// A picture has another width or height than its row says.
    case wrongSize = "wrong-size"
    /// A picture cannot be decoded.
    case brokenPicture = "broken-picture"
    /// A number that is kept is not that of the rows that it counts.
    case wrongCount = "wrong-count"
    /// What clients are told of changes is not what there is.
    case wrongChange = "wrong-change"
  }

  package let kind: Kind
  /// Names and values: `meme=01a1… picture=image`.
  package let place: String
  package let detail: String
  /// How it can be mended; `nil` where it cannot.
  package let mending: Mending?

  package init(
    _ kind: Kind, _ place: String, _ detail: String, mending: Mending? = nil
  ) {
    (self.kind, self.place, self.detail, self.mending) = (kind, place, detail, mending)
  }

  func mended(by mending: Mending?) -> Finding { Finding(kind, place, detail, mending: mending) }
}

extension Finding: CustomStringConvertible {
  /// One line, whatever the detail has in it.
  package var description: String {
    let detail = detail.split(whereSeparator: \.isNewline).joined(separator: "; ")
    let hint = mending.map { " (can be mended: \($0.hint))" } ?? ""
    return "\(kind.rawValue) \(place): \(detail)\(hint)"
  }
}
