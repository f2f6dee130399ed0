/// How much of something is used.
public struct Quota: Sendable, Hashable, Codable {
  public var used: Int
  /// `nil`: there is no limit.
  public var limit: Int?
  public var left: Int?
}

/// The storage of a person, and the rest of the quota.
public struct OwnUsage: Sendable, Hashable, Codable {
  /// Of memes, also in the trash, of templates and of uploads.
  public var bytes: Quota
  /// How many templates.
  public var templates: Quota
  /// What may be drawn at this moment. It comes back by itself.
  public var megapixels: Quota
}
