/// How much of an answer has come.
public struct DownloadProgress: Sendable, Hashable {
  public let receivedBytes: Int64
  /// All bytes of the file; `nil` where the server does not tell.
  public let totalBytes: Int64?

  /// From 0 to 1; `nil` where it is not known.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(receivedBytes) / Double($0)) : 1 }
  }

  /// Is told of progress as the file is written, so it must not block for long.
  public typealias Handler = @Sendable (DownloadProgress) -> Void
}
