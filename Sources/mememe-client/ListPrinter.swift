import Foundation
import MemeMeClient

/// Prints lists: in columns for people, as JSON for scripts.
struct ListPrinter {
  let isJSON: Bool

  func print(memesOf library: MemeLibrary) async throws {
    var rows: [MemeRow] = []
    var page = try await library.table()
    while let last = page.last {
      for item in page { rows.append(MemeRow(item, try await library.meme(item.id))) }
      page = try await library.table(after: last)
    }
    guard !isJSON else { return try write(rows) }
    for row in rows {
      let words = [row.top, row.bottom].filter { !$0.isEmpty }.joined(separator: " / ")
      write("\(row.id)  \(row.createdAt.prefix(16))  \(row.state.padded(to: 8))  \(words)")
    }
  }

  func print(draftsOf library: MemeLibrary) async throws {
    let drafts = try await library.drafts().map(DraftRow.init)
    guard !isJSON else { return try write(drafts) }
    for draft in drafts {
      write("\(draft.number)  \(draft.kind.padded(to: 8))  \(draft.meme)  \(draft.reason)")
      if let words = draft.words { write("    \(words)") }
    }
  }

  private func write(_ rows: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    write(String(decoding: try encoder.encode(rows), as: UTF8.self))
  }

  /// Replaces newlines, which would start another row.
  private func write(_ line: String) {
    Swift.print(isJSON ? line : line.replacing("\n", with: " "))
  }
}

/// A meme in the output of `list --json`.
private struct MemeRow: Encodable {
  let id: String
  /// `null` if the server does not have it yet.
  let version: Int?
  let createdAt: String
  let top: String
  let bottom: String
  let altText: String
  let visibility: String?
  /// `sent`, `waiting`, `sending`, `failed` or `draft`.
  let state: String
  let hasThumbnail: Bool

  init(_ item: LibraryItem, _ meme: LibraryMeme) {
    id = item.id.description
    version = meme.meme?.version
    createdAt = item.createdAt.formatted(.iso8601)
    (top, bottom, altText) = (item.top, item.bottom, item.altText)
    visibility = meme.meme?.visibility.rawValue
    state = item.state.word
    hasThumbnail = item.thumbnail != nil
  }

  // Written by hand, so that missing values are written as `null` instead of omitted.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(version, forKey: .version)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(top, forKey: .top)
    try container.encode(bottom, forKey: .bottom)
    try container.encode(altText, forKey: .altText)
    try container.encode(visibility, forKey: .visibility)
    try container.encode(state, forKey: .state)
    try container.encode(hasThumbnail, forKey: .hasThumbnail)
  }

  private enum Key: CodingKey {
    case id, version, createdAt, top, bottom, altText, visibility, state, hasThumbnail
  }
}

/// A draft in the output of `drafts --json`.
private struct DraftRow: Encodable {
  let number: Int64
  let meme: String
  let kind: String
  let reason: String
  let content: MemeEdit

  init(_ draft: LibraryDraft) {
    (number, meme) = (draft.id, draft.meme.description)
    (kind, reason, content) = (draft.kind.rawValue, draft.reason.description, draft.content)
  }

  /// The texts that the draft would set.
  var words: String? {
    let parts = [("top", content.top), ("bottom", content.bottom), ("alt text", content.altText)]
    let words = parts.compactMap { name, change -> String? in
      if case .set(let text) = change { "\(name): \(text)" } else { nil }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension MemeState {
  fileprivate var word: String {
    switch self {
    case .sent: "sent"
    case .waiting: "waiting"
    case .sending: "sending"
    case .failed: "failed"
    case .draft: "draft"
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
