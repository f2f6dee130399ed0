/// A place in a list: just behind the item with this sequence number, which need not exist any more.
package struct ListPosition: Hashable, Sendable {
  /// What a rank may be.
  package static let ranks: ClosedRange<Int64> = 0...(1 << 56 - 1)

  package let sequence: Int64
  /// What the list is ordered by before the number; `nil` where that is all.
  package let rank: Int64?
  /// What the rank is; `nil` where there is none.
  package let ranking: Ranking?

  /// What a list can be ordered by before the number. A place in the one is none in the other.
  package enum Ranking: Hashable, Sendable {
    /// How closely something matches, from 0 on.
    case match
    case popularity
  }

  package init(sequence: Int64) { (self.sequence, rank, ranking) = (sequence, nil, nil) }

  package init(sequence: Int64, rank: Int64, by ranking: Ranking) {
    (self.sequence, self.rank, self.ranking) = (sequence, rank, ranking)
  }
}

/// Which memes a list has, of those that its viewer may see.
package struct MemeListing: Sendable {
  /// Which memes are wanted.
  package enum Scope: Hashable, Sendable {
    case everybodys
    case author(Author)
    /// The viewer's, in the order in which they became that, the last first.
    case favorites
    /// Those of the people whom the viewer follows, and the viewer's own, the newest first.
    case feed
    /// What is for everybody, by how many like it and how long ago it was made.
    case popular
    /// What has these words, everybody's or one author's. Without an order what matches more closely is first, and of that the
    /// newest.
    case matching(SearchWords, by: Author?)

    /// Whether nothing can be in it, whatever memes there are.
    package var isEmpty: Bool {
      if case .matching(let words, _) = self { words.isEmpty } else { false }
    }
  }

  /// Whose memes are wanted.
  package enum Author: Hashable, Sendable {
    case named(Username)
    case person(UserID)
  }

  /// By when memes were made.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }

  package let viewer: Viewer
  package let scope: Scope
  /// `nil`: the newest first, or as the scope has it. Those that have an order of their own have no other.
  package let order: Order?
  /// Where the page before ended; `nil` for the first page.
  package var position: ListPosition?
  /// At most so many.
  package let limit: Int

  package init(
    for viewer: Viewer, _ scope: Scope = .everybodys, _ order: Order? = nil,
    after position: ListPosition? = nil, limit: Int
  ) {
    (self.viewer, self.scope, self.order) = (viewer, scope, order)
    (self.position, self.limit) = (position, limit)
  }

  /// What its places have a rank by; `nil` where they have none.
  package var ranking: ListPosition.Ranking? {
    switch scope {
    case .everybodys, .author, .favorites, .feed: nil
    case .popular: .popularity
    case .matching: order == nil ? .match : nil
    }
  }
}

/// Some of a list's items, in its order.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]
  /// Where the next page starts; `nil` at the end.
  package let next: ListPosition?
  /// Whether all up to the next page was looked at: not if a search took too long.
  package let isComplete: Bool

  package init(items: [Item], next: ListPosition?, isComplete: Bool = true) {
    (self.items, self.next, self.isComplete) = (items, next, isComplete)
  }
}

/// A meme as a row of a table shows it.
package struct TableRow: Sendable, Equatable {
  package let id: MemeID
  package let author: Author?
  package let version: Int
  package let createdAt: Timestamp
  package let top: CaptionText
  package let bottom: CaptionText
  /// The first caption in a box of its own, if there is one.
  package let firstBox: CaptionText?
  package let altText: AltText
  /// Of ``PictureRole/tableThumbnail``.
  package let thumbnail: PixelSize
  /// As the viewer of the list has them.
  package let counts: MemeCounts

  package init(
    id: MemeID, author: Author? = nil, version: Int, createdAt: Timestamp, top: CaptionText,
    bottom: CaptionText, firstBox: CaptionText?, altText: AltText, thumbnail: PixelSize,
    counts: MemeCounts = MemeCounts()
  ) {
    self.author = author
    (self.id, self.version, self.createdAt) = (id, version, createdAt)
    (self.top, self.bottom, self.firstBox) = (top, bottom, firstBox)
    (self.altText, self.thumbnail) = (altText, thumbnail)
    self.counts = counts
  }

  /// The first caption with words, in one line, if there is one.
  package var title: String? {
    let first = [top, bottom, firstBox].compactMap(\.self).first { !$0.isBlank }
    return first.flatMap { AltText.line(of: [$0]) }
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
