public import Foundation

/// A picture that everyone can make memes from.
public struct Template: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Template>

  public var id: ID
  public var name: String
  public var altText: String
  public var createdAt: Date
  public var image: Meme.Image
  public var thumbnail: Thumbnail
}
