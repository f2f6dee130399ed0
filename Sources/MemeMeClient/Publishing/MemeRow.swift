public import Foundation

/// A representation of memes in lists: in full, as a table row, or as a grid cell.
public protocol MemeView: Sendable, Decodable, Identifiable where ID == Meme.ID {
  /// The value of the `view` query parameter.
  static var view: String { get }
}

extension Meme: MemeView {
  public static var view: String { "full" }
}

/// A meme as a table row.
public struct MemeRow: MemeView, Hashable, Codable {
  public static var view: String { "table" }

  public var id: Meme.ID
  public var top: String
  public var bottom: String
  /// The first caption with text, on one line; `nil` if there is none, or for a server of version 0.1.0.
  public var title: String?
  /// `nil` for a server of version 0.1.0.
  public var altText: String?
  public var author: Author?
  public var createdAt: Date
  public var counts: Meme.Counts
  public var thumbnail: Thumbnail
}

/// A meme as a grid cell.
public struct MemeCell: MemeView, Hashable, Codable {
  public static var view: String { "grid" }

  public var id: Meme.ID
  public var altText: String
  public var thumbnail: Thumbnail
}
