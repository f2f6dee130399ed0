/// Figures about a server's content and load.
public struct Statistics: Sendable, Hashable, Codable {
  public var memes: Int
  public var deletedMemes: Int
  public var people: Int
  public var suspended: Int
  public var sessions: Int
  public var openReports: Int
  public var likes: Int
  public var comments: Int
  public var bytes: Bytes
  /// The number of memes created on each of the last 30 days, oldest first.
  public var uploadsPerDay: [Day]
  public var renders: Renders

  /// The total sizes of files, in bytes.
  public struct Bytes: Sendable, Hashable, Codable {
    public var originals: Int
    public var images: Int
    public var thumbnails: Int
    public var derived: Int
    public var database: Int
    /// The free bytes on the database's disk; `nil` if unknown.
    public var free: Int?
  }

  public struct Day: Sendable, Hashable, Codable {
    /// The date in UTC, such as `2026-11-22`.
    public var date: String
    public var count: Int
  }

  /// Figures about image rendering since the server started.
  public struct Renders: Sendable, Hashable, Codable {
    public var count: Int
    public var p50Seconds: Double?
    public var p95Seconds: Double?
    /// The sandbox of the processes that decode pictures; `nil` if the server has none or does not report it.
    public var confinement: Confinement?
    /// A histogram of render times, shortest first; `nil` if the server does not report it.
    public var ranges: [Range]?

    /// The sandbox layers in force.
    public struct Confinement: Sendable, Hashable, Codable {
      /// Whether seccomp restricts system calls.
      public var calls: Bool
      /// Whether Landlock restricts access to files.
      public var files: Bool
    }

    /// A histogram bucket: renders that took longer than the previous bucket's limit and at most this bucket's limit.
    public struct Range: Sendable, Hashable, Codable {
      /// The limit in seconds; `nil` for the last bucket, which has none.
      public var upToSeconds: Double?
      public var count: Int
    }
  }
}
