public import Foundation
import Synchronization

/// A user's memes on a device, available with and without a network.
///
///     let library = try MemeLibrary(at: folder, client: client)
///     let meme = try await library.create(MemeFields(top: "so it begins"), picture: photo)
///     Task { await library.run() }
///     for await _ in library.updates { items = try await library.grid() }
///
/// Every creation, edit and deletion is durable when the call returns, and is sent when the server can be reached.
/// Network failures and crashes do not break the sync: the library and the server end in the same state. No meme is
/// duplicated or lost, and no deleted meme comes back. If two devices change the same meme, the server's state wins,
/// and the library keeps the losing change as a ``LibraryDraft``.
///
/// Only one library at a time can have a folder open. Safe to use from any thread.
public final class MemeLibrary: Sendable {
  let store: LibraryStore
  let changes = UpdateFeed()
  /// Held while changes are read or sent.
  let turn = Turn()
  /// Wakes ``run()`` when a change waits to be sent.
  let bell = Mailbox<Void>()
  let uploads = Mutex<[Meme.ID: Double]>([:])
  let imageBytes: Int
  private let state: Mutex<State>

  struct State {
    var current: NumberedClient
    var status = LibraryStatus.idle
    /// The number of the client whose user owns the library, as the server confirmed.
    var confirmed: Int?
  }

  /// Opens the library in a folder, or creates it.
  ///
  /// - Parameters:
  ///   - folder: A folder for this library only. Nothing else may modify its content.
  ///   - client: A client that is signed in as the owner of the library. It needs no token until the first sync.
  ///   - imageCacheBytes: The maximum total size of cached full-size images, in bytes.
  /// - Throws: ``LibraryError/inUse(processID:)``, ``LibraryError/unusable(_:)``, ``LibraryError/diskFull``.
  public convenience init(
    at folder: URL, client: MemeMeClient, imageCacheBytes: Int = 64 << 20
  ) throws(LibraryError) {
    try self.init(at: folder, client: client, imageCacheBytes: imageCacheBytes) { .now }
  }

  /// - Parameter now: The clock.
  init(
    at folder: URL, client: MemeMeClient, imageCacheBytes: Int = 64 << 20,
    now: @escaping @Sendable () -> Date
  ) throws(LibraryError) {
    store = try LibraryStore(folder: LibraryFolder(folder), now: now)
    imageBytes = imageCacheBytes
    // The library decides itself when to try again.
    state = Mutex(State(current: NumberedClient(client: client.retrying(.never), number: 0)))
  }

  /// Closes the database after pending operations have finished. ``run()`` must have ended before. The library cannot
  /// be used after this call.
  public func close() async { await store.close() }

  /// The client that connects to the server. Set it after the user has signed in again. Waiting changes are then sent.
  public var client: MemeMeClient {
    get { current.client }
    set {
      state.withLock { state in
        state.current = NumberedClient(
          client: newValue.retrying(.never), number: state.current.number + 1)
      }
      bell.put(()) { _, _ in }
    }
  }

  var current: NumberedClient { state.withLock { $0.current } }

  /// The current sync state.
  public var status: LibraryStatus { state.withLock { $0.status } }

  func report(_ status: LibraryStatus) {
    let isNew = state.withLock { state in
      defer { state.status = status }
      return state.status != status
    }
    if isNew { changes.tell(LibraryUpdate()) }
  }

  /// Whether the server confirmed that the user of this client owns the library, and the client is still in use.
  func isConfirmed(_ client: NumberedClient) -> Bool {
    state.withLock { $0.confirmed == client.number && $0.current.number == client.number }
  }

  func confirm(_ client: NumberedClient) { state.withLock { $0.confirmed = client.number } }

  /// Removes all content from the library and ends the session if the server can be reached. Changes that wait to be
  /// sent and drafts are lost: ``waitingCount()`` returns the number of the former.
  public func signOut() async throws {
    let signedIn = client
    // Ends a round after its current request, which is still the signed-in user's.
    client = signedIn.authorized(by: nil)
    if signedIn.token != nil { try? await signedIn.within(.seconds(10)).signOut() }
    await turn.begin()
    defer { turn.end() }
    try await store.clear()
    // The library has no owner now, so the next user has to become its owner, even if it is the same one.
    state.withLock { $0.confirmed = nil }
    changes.tell(LibraryUpdate(isAll: true))
  }
}
