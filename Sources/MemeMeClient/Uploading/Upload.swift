public import Foundation

/// A picture that was sent ahead of the memes that are made of it.
public struct Upload: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Upload>

  /// Names the picture for whoever has it: ``MemeDraft/Source/upload(_:)``.
  public var id: ID
  public var width: Int
  public var height: Int
  public var mediaType: String
  public var expiresAt: Date
}
