public import Foundation

/// The way to a MemeMe server: every call of its contract, as a function.
///
///     let server = MemeMeClient(URL(string: "https://memes.example.org")!)
///     let signedIn = try await server.signIn("grumpy_cat", password: "a cat on a keyboard")
///     let client = server.authorized(by: signedIn.token)
///     let published = try await client.publish(MemeDraft(.image(.file(photo)), top: "so it begins"))
///
/// It is a value, and may be used by many tasks at once; what differs from call to call, such as who asks, is said by
/// making another value of it. All values that are made of one share its connections.
///
/// Calls throw ``MemeMeError``, and `CancellationError` where the task that calls is cancelled; then the request is ended.
public struct MemeMeClient: Sendable {
  /// Where the server is.
  public let url: URL
  /// Who asks; `nil` for nobody.
  public private(set) var token: Token?
  /// Which calls are made again, and when.
  public var retries: RetryPolicy
  /// How long the server, or the way to it, may be silent before a call fails.
  public var silence: Duration
  /// How long a call may take with all its attempts; `nil` for as long as something happens.
  public var deadline: Duration?

  var transport: any Transport

  /// - Parameter url: the server's, up to where the paths of the contract begin.
  public init(
    _ url: URL, token: Token? = nil, retries: RetryPolicy = RetryPolicy(),
    silence: Duration = .seconds(60), deadline: Duration? = nil
  ) {
    self.url = url
    self.token = token
    self.retries = retries
    self.silence = silence
    self.deadline = deadline
    transport = SystemTransport()
  }

  /// The same server, asked by whoever has this token: a session's, a meme's `deleteToken`, or the admin's. Nobody, for `nil`.
  public func authorized(by token: Token?) -> Self {
    var client = self
    client.token = token
    return client
  }

  /// The same, with calls that fail when they take longer than this.
  public func within(_ deadline: Duration?) -> Self {
    var client = self
    client.deadline = deadline
    return client
  }

  /// The same, with calls that are made again as this says.
  public func retrying(_ retries: RetryPolicy) -> Self {
    var client = self
    client.retries = retries
    return client
  }
}
