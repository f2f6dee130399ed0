/// One of the clients that a library has used.
///
/// A round and a poll use a single client for all their requests. Another client may belong to another user, who must
/// not receive the changes that wait in the library, and whose memes must not appear in it.
struct NumberedClient: Sendable {
  let client: MemeMeClient
  /// The number of clients that the library used before.
  let number: Int
}

/// The library has another client now. The work begins again with that one.
struct ReplacedClient: Error {}
