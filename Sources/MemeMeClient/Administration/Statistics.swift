/// How much there is on a server.
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
  /// How many memes were made on each of the last 30 days, oldest first.
  public var uploadsPerDay: [Day]
  public var renders: Renders

  /// The bytes of files.
  public struct Bytes: Sendable, Hashable, Codable {
    public var originals: Int
    public var images: Int
    public var thumbnails: Int
    public var derived: Int
    public var database: Int
    /// What is free on the database's disk; `nil` where that is not known.
    public var free: Int?
  }

  public struct Day: Sendable, Hashable, Codable {
    /// Such as `2026-11-22`, in UTC.
    public var date: String
    public var count: Int
  }

  /// The drawing of pictures since the server started.
  public struct Renders: Sendable, Hashable, Codable {
    public var count: Int
    public var p50Seconds: Double?
    public var p95Seconds: Double?
    /// What keeps the processes that decode pictures from everything else; `nil` if there are none, or the server does not
    /// tell.
    public var confinement: Confinement?
    /// How many took how long, shortest first; `nil` where the server does not tell.
    public var ranges: [Range]?

    /// Whether the layers are in force.
    public struct Confinement: Sendable, Hashable, Codable {
      /// They have few system calls: seccomp.
      public var calls: Bool
      /// They can read few files: Landlock.
      public var files: Bool
    }

    /// Longer than the range before, and not longer than this.
    public struct Range: Sendable, Hashable, Codable {
      /// `nil` for the last one, which has no end.
      public var upToSeconds: Double?
      public var count: Int
    }
  }
}
