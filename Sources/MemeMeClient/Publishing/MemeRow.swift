public import Foundation

/// A meme as lists tell of it: in full, as a row of a table, or as a cell of a grid.
public protocol MemeView: Sendable, Decodable, Identifiable where ID == Meme.ID {
  /// The parameter `view`.
  static var view: String { get }
}

extension Meme: MemeView {
  public static var view: String { "full" }
}

/// A meme as a row of a table.
public struct MemeRow: MemeView, Hashable, Codable {
  public static var view: String { "table" }

  public var id: Meme.ID
  public var top: String
  public var bottom: String
  /// The first caption that has words, in one line; `nil` if there is none, and from a server of 0.1.0.
  public var title: String?
  /// `nil` from a server of 0.1.0.
  public var altText: String?
  public var author: Author?
  public var createdAt: Date
  public var counts: Meme.Counts
  public var thumbnail: Thumbnail
}

/// A meme as a cell of a grid.
public struct MemeCell: MemeView, Hashable, Codable {
  public static var view: String { "grid" }

  public var id: Meme.ID
  public var altText: String
  public var thumbnail: Thumbnail
}
