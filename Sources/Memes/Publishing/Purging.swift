/// Removes for good what was in the trash for its time.
package struct Purging: Sendable {
  private let store: any MemeStore
  private let trash: Trash
  private let batch: PurgeBatch
  private let now: @Sendable () -> Timestamp

  package init(
    store: any MemeStore, trash: Trash, batch: PurgeBatch = .standard,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.trash, self.batch, self.now) = (store, trash, batch, now)
  }

  /// Purges all that is due, a batch after the other, and other writes in between.
  ///
  /// May end at any moment, by a crash too: every batch is whole, and the next call goes on with the rest. Where the task
  /// is cancelled it ends after the batch that it is at.
  ///
  /// - Returns: the number of memes that were purged.
  package func purge() async throws(MemeError) -> Int {
    let horizon = trash.horizon(at: now())
    var count = 0
    while !Task.isCancelled {
      let purged = try await store.purge(deletedUpTo: horizon, batch)
      if purged.isEmpty { break }
      count += purged.count
    }
    return count
  }
}

/// How much is purged in one transaction, while which nobody else can write.
package struct PurgeBatch: Sendable, Equatable {
  package let memes: Int
  /// Of the memes' files together; a batch has one meme at least, however large.
  package let bytes: Int

  package init(memes: Int, bytes: Int) { (self.memes, self.bytes) = (memes, bytes) }

  /// Some tens of milliseconds on a disk of today: what is freed is overwritten.
  package static let standard = PurgeBatch(memes: 64, bytes: 8 << 20)
}
