/// A place in the list of memes: just after the meme with this sequence number, which need not exist any more.
package struct ListPosition: Hashable, Sendable {
  package let sequence: Int64

  package init(sequence: Int64) { self.sequence = sequence }
}

/// Which memes a list has, of those that its viewer may see.
package struct MemeListing: Sendable {
  /// Which memes are wanted.
  package enum Scope: Hashable, Sendable {
    case everybodys
    case author(Author)
    /// The viewer's, in the order in which they became that, the last first.
    case favorites
  }

  /// Whose memes are wanted.
  package enum Author: Hashable, Sendable {
    case named(Username)
    case person(UserID)
  }

  package let viewer: Viewer
  package let scope: Scope
  /// Where the page before ended; `nil` for the first page.
  package let position: ListPosition?
  /// At most so many.
  package let limit: Int

  package init(
    for viewer: Viewer, _ scope: Scope = .everybodys, after position: ListPosition? = nil,
    limit: Int
  ) {
    (self.viewer, self.scope) = (viewer, scope)
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
  /// As the viewer of the list has them.
  package let counts: MemeCounts

  package init(
    id: MemeID, author: Author? = nil, version: Int, createdAt: Timestamp, top: CaptionText,
    bottom: CaptionText, thumbnail: PixelSize, counts: MemeCounts = MemeCounts()
  ) {
    self.author = author
    (self.id, self.version, self.createdAt) = (id, version, createdAt)
    (self.top, self.bottom, self.thumbnail) = (top, bottom, thumbnail)
    self.counts = counts
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
