/// The progress of sending a request.
public struct UploadProgress: Sendable, Hashable {
  /// The number of bytes sent. They may not have reached the server.
  public let sentBytes: Int64
  /// The size of the request body in bytes. Almost all of it is the picture file.
  public let totalBytes: Int64

  /// The progress from 0 to 1.
  public var fraction: Double {
    totalBytes > 0 ? min(1, Double(sentBytes) / Double(totalBytes)) : 0
  }

  /// A callback for upload progress. It runs on a queue of the client and must not block. If the client repeats a call,
  /// progress restarts at 0.
  public typealias Handler = @Sendable (UploadProgress) -> Void
}
