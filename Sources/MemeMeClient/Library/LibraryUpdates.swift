import Synchronization

/// What changes in a library, as it happens: for a user interface to look again.
///
///     for await update in library.updates { … }
///
/// The first update comes at once and says that everything is to be looked at. Nothing piles up: what changes while nobody looks
/// is one update. One that names no meme says that ``MemeLibrary/status`` is another, or the drafts are.
public struct LibraryUpdates: AsyncSequence, Sendable {
  public typealias Element = LibraryUpdate

  let feed: UpdateFeed

  public func makeAsyncIterator() -> Iterator { Iterator(feed.subscribe()) }

  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: UpdateFeed.Subscription

    fileprivate init(_ subscription: UpdateFeed.Subscription) { self.subscription = subscription }

    /// - Returns: `nil` where the task is cancelled.
    public mutating func next() async -> LibraryUpdate? { await subscription.mailbox.take() }
  }
}

extension MemeLibrary {
  /// What changes, as it happens.
  public var updates: LibraryUpdates { LibraryUpdates(feed: changes) }
}

/// Tells everybody who listens.
final class UpdateFeed: Sendable {
  private let mailboxes = Mutex<[ObjectIdentifier: Mailbox<LibraryUpdate>]>([:])

  /// Listens until it is let go.
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
