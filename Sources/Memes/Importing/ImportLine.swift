/// Rows on their way: begun in their order, ready in any, and taken in their order again; then kept, in that order too.
struct ImportLine {
  /// Of memes that are being kept: as much as is drawn while the store copies its log into the database.
  private static let maximumKeptBytes = 32 << 20

  private(set) var begun = 0
  private let room: Int
  private var taken = 0
  private var keptBytes = 0
  private var ready: [Int: Result<PreparedRow, MemeError>] = [:]
  private var ids: Set<MemeID> = []

  /// - Parameter room: how many may be begun and not taken.
  init(room: Int) { self.room = room }

  /// Whether another one may begin.
  var hasRoom: Bool { begun - taken < room && keptBytes < Self.maximumKeptBytes }

  /// - Returns: the place of a row that is begun.
  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  mutating func keep(_ byteCount: Int) { keptBytes += byteCount }

  mutating func kept(_ byteCount: Int) { keptBytes -= byteCount }

  /// - Returns: those whose turn it is, with their places.
  mutating func take(
    _ row: Result<PreparedRow, MemeError>, at place: Int
  ) -> [(Int, Result<PreparedRow, MemeError>)] {
    ready[place] = row
    var turns: [(Int, Result<PreparedRow, MemeError>)] = []
    while let next = ready.removeValue(forKey: taken) {
      turns.append((taken, next.map { once($0) }))
      taken += 1
    }
    return turns
  }

  /// Two rows are one meme where their contents are the same, but not where only their ids are.
  private mutating func once(_ row: PreparedRow) -> PreparedRow {
    guard let id = row.id, !ids.insert(id).inserted else { return row }
    return PreparedRow(
      row.bringsID ? .failed(RowFault("id", "A row before this one has the same id.")) : .there)
  }
}

/// A row that is ready to be kept, or needs not be.
struct PreparedRow: Sendable {
  enum Content: Sendable {
    case settled(ImportOutcome)
    case drawn(NewMeme, any MemeStore)
  }

  let content: Content
  /// `nil` where it makes no meme.
  let id: MemeID?
  /// Whether the row says what its id is.
  let bringsID: Bool

  init(_ outcome: ImportOutcome, id: MemeID? = nil, bringsID: Bool = false) {
    (content, self.id, self.bringsID) = (.settled(outcome), id, bringsID)
  }

  init(_ meme: NewMeme, in store: any MemeStore, bringsID: Bool) {
    (content, id, self.bringsID) = (.drawn(meme, store), meme.meme.id, bringsID)
  }
}
