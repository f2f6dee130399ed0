/// The usage and the limit of a resource.
public struct Quota: Sendable, Hashable, Codable {
  public var used: Int
  /// The limit; `nil` if there is none.
  public var limit: Int?
  public var left: Int?
}

/// The storage and the quotas of the signed-in user.
public struct OwnUsage: Sendable, Hashable, Codable {
  /// The bytes of memes (including deleted ones that can still be restored), templates and uploads.
  public var bytes: Quota
  /// The number of templates.
  public var templates: Quota
  /// The rendering budget in megapixels. It recovers over time.
  public var megapixels: Quota
}
