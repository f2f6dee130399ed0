public import Foundation

/// A client for a MemeMe server, with a method for every operation of its API.
///
///     let server = MemeMeClient(URL(string: "https://memes.example.org")!)
///     let signedIn = try await server.signIn("grumpy_cat", password: "a cat on a keyboard")
///     let client = server.authorized(by: signedIn.token)
///     let published = try await client.publish(MemeDraft(.image(.file(photo)), top: "so it begins"))
///
/// A client is a value, and many tasks can use it at once. To change a setting such as the token, make a modified copy.
/// All copies share the same connections.
///
/// Calls throw ``MemeMeError``. If the calling task is cancelled, the request ends and the call throws
/// `CancellationError`.
public struct MemeMeClient: Sendable {
  /// The base URL of the server.
  public let url: URL
  /// The token that authenticates calls; `nil` for anonymous calls.
  public private(set) var token: Token?
  /// The policy for repeating calls that fail.
  public var retries: RetryPolicy
  /// The maximum time without network activity before a call fails.
  public var silence: Duration
  /// The maximum duration of a call, including all attempts; `nil` if only ``silence`` limits it. The time for which a
  /// call lets the server wait comes in addition.
  public var deadline: Duration?

  var transport: any Transport

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - url: The server's base URL, to which the paths of the API are appended.
  ///   - token: The token that authenticates calls; `nil` for anonymous calls.
  ///   - retries: The policy for repeating calls that fail.
  ///   - silence: The maximum time without network activity before a call fails.
  ///   - deadline: The maximum duration of a call, including all attempts.
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

  /// Returns a copy that authenticates with a token: a session token, a meme's `deleteToken`, or the admin token. With
  /// `nil`, calls are anonymous.
  public func authorized(by token: Token?) -> Self {
    var client = self
    client.token = token
    return client
  }

  /// Returns a copy whose calls fail if they take longer than `deadline`.
  public func within(_ deadline: Duration?) -> Self {
    var client = self
    client.deadline = deadline
    return client
  }

  /// Returns a copy with another retry policy.
  public func retrying(_ retries: RetryPolicy) -> Self {
    var client = self
    client.retries = retries
    return client
  }
}
