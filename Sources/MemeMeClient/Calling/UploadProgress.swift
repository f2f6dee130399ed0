/// How much of a request is sent.
public struct UploadProgress: Sendable, Hashable {
  /// The bytes that are on their way; they may not have arrived.
  public let sentBytes: Int64
  /// All bytes of the request's body, of which the picture's file is nearly everything.
  public let totalBytes: Int64

  /// From 0 to 1.
  public var fraction: Double {
    totalBytes > 0 ? min(1, Double(sentBytes) / Double(totalBytes)) : 0
  }

  /// Is told of progress, on a queue of the client's, so it must not block. Where a call is made again, it begins at 0 again.
  public typealias Handler = @Sendable (UploadProgress) -> Void
}
