/// A place in a list: just behind the item with this sequence number, which need not exist any more.
package struct ListPosition: Hashable, Sendable {
  /// What a rank may be.
  package static let ranks: ClosedRange<Int64> = 0...(1 << 56 - 1)

  package let sequence: Int64
  /// What the list is ordered by before the number; `nil` where that is all.
  package let rank: Int64?

  package init(sequence: Int64) { (self.sequence, rank) = (sequence, nil) }

  package init(sequence: Int64, rank: Int64) { (self.sequence, self.rank) = (sequence, rank) }
}

/// Which memes a list has, of those that its viewer may see.
package struct MemeListing: Sendable {
  /// Whose memes are wanted.
  package enum Author: Hashable, Sendable {
    case named(Username)
    case person(UserID)
  }

  package enum Kind: Sendable {
    /// By when they were made; everybody's, or one author's.
    case newest(by: Author?)
    case oldest(by: Author?)
    /// Those of the people whom somebody follows and their own, newest first.
    case feed(of: UserID)
    /// What is for everybody, by how many like it and how long ago it was made.
    case popular
    /// What has these words, everybody's or one author's.
    case matching(SearchWords, by: Author?, MatchOrder)

    /// Whether its places have a rank.
    package var isRanked: Bool {
      switch self {
      case .newest, .oldest, .feed: false
      case .popular: true
      case .matching(_, _, let order): order == .worth
      }
    }
  }

  package enum MatchOrder: Sendable {
    /// What matches more closely first, and of that the newest.
    case worth
    case newest, oldest
  }

  package let viewer: Viewer
  package let kind: Kind
  /// Where the page before ended; `nil` for the first page.
  package let position: ListPosition?
  /// At most so many.
  package let limit: Int

  package init(
    for viewer: Viewer, _ kind: Kind = .newest(by: nil), after position: ListPosition? = nil,
    limit: Int
  ) {
    (self.viewer, self.kind) = (viewer, kind)
    (self.position, self.limit) = (position, limit)
  }
}

/// Some of a list's items, in its order.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]
  /// Where the next page starts; `nil` at the end.
  package let next: ListPosition?

  package init(items: [Item], next: ListPosition?) { (self.items, self.next) = (items, next) }
}

/// A meme as a row of a table shows it.
package struct TableRow: Sendable, Equatable {
  package let id: MemeID
  package let author: Author?
  package let version: Int
  package let createdAt: Timestamp
  package let top: CaptionText
  package let bottom: CaptionText
  /// Of ``PictureRole/tableThumbnail``.
  package let thumbnail: PixelSize
  package let shareCount: Int

  package init(
    id: MemeID, author: Author? = nil, version: Int, createdAt: Timestamp, top: CaptionText,
    bottom: CaptionText, thumbnail: PixelSize, shareCount: Int = 0
  ) {
    self.author = author
    (self.id, self.version, self.createdAt) = (id, version, createdAt)
    (self.top, self.bottom, self.thumbnail) = (top, bottom, thumbnail)
    self.shareCount = shareCount
  }
}

/// A meme as a cell of a grid shows it.
package struct GridCell: Sendable, Equatable {
  package let id: MemeID
  package let version: Int
  package let altText: AltText
  /// Of ``PictureRole/gridThumbnail``.
  package let thumbnail: PixelSize

  package init(id: MemeID, version: Int, altText: AltText, thumbnail: PixelSize) {
    (self.id, self.version, self.altText, self.thumbnail) = (id, version, altText, thumbnail)
  }
}
