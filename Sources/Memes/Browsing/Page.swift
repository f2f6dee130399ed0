/// A position in a list: right after the item with this sequence number. That item may have been deleted.
package struct ListPosition: Hashable, Sendable {
  /// The valid ranks.
  package static let ranks: ClosedRange<Int64> = 0...(1 << 56 - 1)

  package let sequence: Int64
  /// The primary sort key, before the sequence number; `nil` if the sequence number is the only key.
  package let rank: Int64?
  /// The kind of the rank; `nil` if there is no rank.
  package let ranking: Ranking?

  /// The primary sort key of a ranked list. A position in a list of one kind is invalid in a list of another.
  package enum Ranking: Hashable, Sendable {
    /// How closely an item matches a search; 0 is the closest.
    case match
    case popularity
  }

  package init(sequence: Int64) { (self.sequence, rank, ranking) = (sequence, nil, nil) }

  package init(sequence: Int64, rank: Int64, by ranking: Ranking) {
    (self.sequence, self.rank, self.ranking) = (sequence, rank, ranking)
  }
}

/// A query for a list of memes, restricted to those that the viewer may see.
package struct MemeListing: Sendable {
  /// The set of memes to list.
  package enum Scope: Hashable, Sendable {
    case everybodys
    case author(Author)
    /// The viewer's favorites, the most recently added first.
    case favorites
    /// The memes of the viewer and of the people that the viewer follows, newest first.
    case feed
    /// Public memes, ranked by likes and age.
    case popular
    /// Memes that contain these words, of all authors or of one. Without an order, closer matches come first; equal
    /// matches are sorted newest first.
    case matching(SearchWords, by: Author?)
    /// Memes with this tag.
    case tagged(Tag)
    /// Memes with the picture of this meme.
    case remixes(of: MemeID)

    /// Whether the list is always empty, whatever memes exist.
    package var isEmpty: Bool {
      if case .matching(let words, _) = self { words.isEmpty } else { false }
    }
  }

  /// The author of the listed memes.
  package enum Author: Hashable, Sendable {
    case named(Username)
    case person(UserID)
  }

  /// The order by creation time.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }

  package let viewer: Principal
  package let scope: Scope
  /// `nil` uses the scope's order: newest first, unless the scope defines another. Scopes with their own order
  /// accept no other.
  package let order: Order?
  /// The end of the previous page; `nil` for the first page.
  package var position: ListPosition?
  /// The maximum number of memes.
  package let limit: Int

  package init(
    for viewer: Principal, _ scope: Scope = .everybodys, _ order: Order? = nil,
    after position: ListPosition? = nil, limit: Int
  ) {
    (self.viewer, self.scope, self.order) = (viewer, scope, order)
    (self.position, self.limit) = (position, limit)
  }

  /// The kind of rank in positions of this list; `nil` if they have none.
  package var ranking: ListPosition.Ranking? {
    switch scope {
    case .everybodys, .author, .favorites, .feed, .tagged, .remixes: nil
    case .popular: .popularity
    case .matching: order == nil ? .match : nil
    }
  }
}

/// A page of a list, in the order of the list.
package struct Page<Item: Sendable>: Sendable {
  package let items: [Item]
  /// The start of the next page; `nil` at the end of the list.
  package let next: ListPosition?
  /// Whether every row before the next page was scanned. `false` if a search reached its time limit.
  package let isComplete: Bool

  package init(items: [Item], next: ListPosition?, isComplete: Bool = true) {
    (self.items, self.next, self.isComplete) = (items, next, isComplete)
  }
}

/// A meme as a row of a table.
package struct TableRow: Sendable, Equatable {
  package let id: MemeID
  package let author: Author?
  package let version: Int
  package let createdAt: Timestamp
  package let top: CaptionText
  package let bottom: CaptionText
  /// The first caption in a free box, if there is one.
  package let firstBox: CaptionText?
  package let altText: AltText
  /// The size of ``PictureRole/tableThumbnail``.
  package let thumbnail: PixelSize
  /// The counts as the viewer of the list sees them.
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

  /// The first caption that is not blank, on one line, if there is one.
  package var title: String? { AltText.line(ofFirst: [top, bottom, firstBox].compactMap(\.self)) }
}

/// A meme as a cell of a grid.
package struct GridCell: Sendable, Equatable {
  package let id: MemeID
  package let version: Int
  package let altText: AltText
  /// The size of ``PictureRole/gridThumbnail``.
  package let thumbnail: PixelSize

  package init(id: MemeID, version: Int, altText: AltText, thumbnail: PixelSize) {
    (self.id, self.version, self.altText, self.thumbnail) = (id, version, altText, thumbnail)
  }
}
