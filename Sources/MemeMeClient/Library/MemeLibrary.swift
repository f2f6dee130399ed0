public import Foundation
import Synchronization

/// Somebody's own memes on a device, with or without a network.
///
///     let library = try MemeLibrary(at: folder, client: client)
///     let meme = try await library.create(MemeFields(top: "so it begins"), picture: photo)
///     Task { await library.run() }
///     for await _ in library.updates { items = try await library.grid() }
///
/// What somebody makes, edits or deletes is durable when the call returns, and is sent when the server can be reached. However
/// the network behaves, and whoever is killed when, the library ends equal to the server: no meme is there twice, none is
/// lost, and none comes back that was deleted. Where two devices changed the same, the server's state wins, and what lost is
/// kept as a ``LibraryDraft``.
///
/// One library at a time has a folder open. Safe to use from any thread.
public final class MemeLibrary: Sendable {
  let store: LibraryStore
  let changes = UpdateFeed()
  /// Only one at a time reads changes or sends.
  let turn = Turn()
  /// Rings when there is something to send.
  let bell = Mailbox<Void>()
  let uploads = Mutex<[Meme.ID: Double]>([:])
  let imageBytes: Int
  private let state: Mutex<State>

  struct State {
    var client: MemeMeClient
    var status = LibraryStatus.idle
    /// Whether the server said of this client that it is the person whose library this is.
    var isKnownPerson = false
  }

  /// Opens the library in this folder, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - folder: of the library alone. Whatever else takes care of the app's files must leave it as it is.
  ///   - client: asks as the person whose library it is. It may be nobody's while nothing is sent.
  ///   - imageCacheBytes: how large the whole images together may be that are kept to be seen again.
  /// - Throws: ``LibraryError/inUse(processID:)``, ``LibraryError/unusable(_:)``, ``LibraryError/diskFull``.
  public convenience init(
    at folder: URL, client: MemeMeClient, imageCacheBytes: Int = 64 << 20
  ) throws(LibraryError) {
    try self.init(at: folder, client: client, imageCacheBytes: imageCacheBytes) { .now }
  }

  /// - Parameter now: the clock.
  init(
    at folder: URL, client: MemeMeClient, imageCacheBytes: Int = 64 << 20,
    now: @escaping @Sendable () -> Date
  ) throws(LibraryError) {
    store = try LibraryStore(folder: LibraryFolder(folder), now: now)
    imageBytes = imageCacheBytes
    // How often to try again is the library's to say.
    state = Mutex(State(client: client.retrying(.never)))
  }

  /// Closes the database once what was asked for is done. ``run()`` has to have ended; nothing works afterwards.
  public func close() async { await store.close() }

  /// Asks the server. Set it when somebody has signed in again: what waits is sent by it.
  public var client: MemeMeClient {
    get { state.withLock { $0.client } }
    set {
      state.withLock { ($0.client, $0.isKnownPerson) = (newValue.retrying(.never), false) }
      bell.put(()) { _, _ in }
    }
  }

  /// What the library does about the server at the moment.
  public var status: LibraryStatus { state.withLock { $0.status } }

  func report(_ status: LibraryStatus) {
    let isNew = state.withLock { state in
      defer { state.status = status }
      return state.status != status
    }
    if isNew { changes.tell(LibraryUpdate()) }
  }

  var isKnownPerson: Bool {
    get { state.withLock { $0.isKnownPerson } }
    set { state.withLock { $0.isKnownPerson = newValue } }
  }

  /// Takes everything out of the library and ends the session, as far as the server can be reached. What waits to be sent is
  /// lost: ``waitingCount()`` tells whether there is something.
  public func signOut() async throws {
    let signedIn = client
    client = signedIn.authorized(by: nil)
    if signedIn.token != nil { try? await signedIn.within(.seconds(10)).signOut() }
    await turn.begin()
    defer { turn.end() }
    try await store.clear()
    changes.tell(LibraryUpdate(isAll: true))
  }
}
