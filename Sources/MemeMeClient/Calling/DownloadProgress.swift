/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  public let receivedBytes: Int64
  /// The size of the file in bytes; `nil` if the server does not report it.
  public let totalBytes: Int64?

  /// The progress from 0 to 1; `nil` if the size is unknown.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(receivedBytes) / Double($0)) : 1 }
  }

  /// A callback for download progress. It runs while the file is written and must not block for long.
  public typealias Handler = @Sendable (DownloadProgress) -> Void
}
