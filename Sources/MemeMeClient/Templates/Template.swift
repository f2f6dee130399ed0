public import Foundation

/// A picture that is kept for everybody to make memes of.
public struct Template: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Template>

  public var id: ID
  public var name: String
  public var altText: String
  public var createdAt: Date
  public var image: Meme.Image
  public var thumbnail: Thumbnail
}
