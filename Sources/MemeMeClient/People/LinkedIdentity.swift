public import Foundation

/// A user at a provider of single sign-ons, who can sign in with it.
public struct LinkedIdentity: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<LinkedIdentity>

  public var id: ID
  /// The URL of the provider.
  public var issuer: String
  /// The user's name at the provider, which never changes.
  public var subject: String
  public var createdAt: Date
  /// The time of the latest sign-in with it.
  public var lastUsedAt: Date
}
