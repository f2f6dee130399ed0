import Memes
import Storage

/// The rows in flight. They begin in order, are prepared in any order, and are taken and stored in order again.
struct ImportLine {
  /// The maximum size of the memes that are being stored: about as much as is drawn during one checkpoint
  /// of the database.
  private static let maximumKeptBytes = 32 << 20

  private(set) var begun = 0
  private let room: Int
  private var taken = 0
  private var keptBytes = 0
  private var ready: [Int: Result<PreparedRow, any Error>] = [:]
  private var ids: Set<MemeID> = []

  /// - Parameter room: the maximum number of rows that are begun and not taken.
  init(room: Int) { self.room = room }

  /// Whether another row may begin.
  var hasRoom: Bool { begun - taken < room && keptBytes < Self.maximumKeptBytes }

  /// - Returns: the index of the row that begins.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  mutating func keep(_ byteCount: Int) { keptBytes += byteCount }

  mutating func kept(_ byteCount: Int) { keptBytes -= byteCount }

  /// - Returns: the rows that can be taken now, with their indices.
  mutating func take(
    _ row: Result<PreparedRow, any Error>, at place: Int
  ) -> [(Int, Result<PreparedRow, any Error>)] {
    ready[place] = row
    var turns: [(Int, Result<PreparedRow, any Error>)] = []
    while let next = ready.removeValue(forKey: taken) {
      turns.append((taken, next.map { once($0) }))
      taken += 1
    }
    return turns
  }

  /// Rows with the same content make one meme. A row that specifies the ID of an earlier row fails.
  private mutating func once(_ row: PreparedRow) -> PreparedRow {
    guard let id = row.id, !ids.insert(id).inserted else { return row }
    return PreparedRow(
      row.bringsID ? .failed(RowFault("id", "An earlier row has the same ID.")) : .there)
  }
}

/// A row that is ready to be stored, or need not be stored.
struct PreparedRow: Sendable {
  enum Content: Sendable {
    case settled(ImportOutcome)
    case drawn(NewMeme, MemeStore)
  }

  let content: Content
  /// `nil` if the row makes no meme.
  let id: MemeID?
  /// Whether the row specifies the ID.
  let bringsID: Bool

  init(_ outcome: ImportOutcome, id: MemeID? = nil, bringsID: Bool = false) {
    (content, self.id, self.bringsID) = (.settled(outcome), id, bringsID)
  }

  init(_ meme: NewMeme, in store: MemeStore, bringsID: Bool) {
    (content, id, self.bringsID) = (.drawn(meme, store), meme.meme.id, bringsID)
  }
}
