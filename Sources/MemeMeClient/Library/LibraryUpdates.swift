import Synchronization

/// The changes in a library as they happen. A user interface reloads its content for each update.
///
///     for await update in library.updates { … }
///
/// The first update arrives at once and covers the entire library. Updates do not pile up: all changes between two
/// iterations arrive as one update. An update without memes indicates a change of ``MemeLibrary/status`` or the drafts.
public struct LibraryUpdates: AsyncSequence, Sendable {
  public typealias Element = LibraryUpdate

  let feed: UpdateFeed

  public func makeAsyncIterator() -> Iterator { Iterator(feed.subscribe()) }

  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: UpdateFeed.Subscription

    fileprivate init(_ subscription: UpdateFeed.Subscription) { self.subscription = subscription }

    /// - Returns: `nil` if the task is cancelled.
    public mutating func next() async -> LibraryUpdate? { await subscription.mailbox.take() }
  }
}

extension MemeLibrary {
  /// The changes in the library as they happen.
  public var updates: LibraryUpdates { LibraryUpdates(feed: changes) }
}

/// Sends updates to all subscribers.
final class UpdateFeed: Sendable {
  private let mailboxes = Mutex<[ObjectIdentifier: Mailbox<LibraryUpdate>]>([:])

  /// A subscription that ends when it is deallocated.
  final class Subscription: Sendable {
    let mailbox = Mailbox<LibraryUpdate>()
    private let feed: UpdateFeed

    fileprivate init(_ feed: UpdateFeed) {
      self.feed = feed
      mailbox.put(LibraryUpdate(isAll: true)) { $0.add($1) }
      feed.mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = mailbox }
    }

    deinit { feed.mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = nil } }
  }

  func subscribe() -> Subscription { Subscription(self) }

  func tell(_ update: LibraryUpdate) {
    let mailboxes = mailboxes.withLock { Array($0.values) }
    for mailbox in mailboxes { mailbox.put(update) { $0.add($1) } }
  }
}
