package import Memes
package import SQL

/// Copies an installation into the database of the other engine, verifies the copy, and gives it a new epoch. The
/// source is only read.
///
/// The target is marked as unfinished until the end. All rows are one transaction, so a process that is killed leaves
/// either none of them or all of them, and the same move can begin again.
package struct Move: Sendable {
  package enum Event: Sendable {
    case copying(done: Int64, all: Int64)
    case verifying(done: Int64, all: Int64)
    /// A picture of the source that cannot be copied.
    case broken(String)
  }

  package struct Summary: Sendable {
    /// The number of rows, without the bytes of pictures.
    package fileprivate(set) var rows = 0
    package fileprivate(set) var memes = 0
    package fileprivate(set) var accounts = 0
    package fileprivate(set) var pictures = 0
    package fileprivate(set) var pictureBytes = 0
  }

  private let source: any Readers
  private let blobs: Blobs
  private let target: any MoveTarget
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let tell: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - source: a migrated database. Its transactions may take hours.
  ///   - blobs: the bytes of its pictures.
  ///   - tell: called on the thread of ``run()``.
  package init(
    from source: any Readers, _ blobs: Blobs, to target: any MoveTarget, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp = { .now() }, tell: @escaping @Sendable (Event) -> Void
  ) {
    (self.source, self.blobs, self.target) = (source, blobs, target)
    (self.digest, self.now, self.tell) = (digest, now, tell)
  }

  /// Marks the target, on the calling thread, if it can be the target of this move. ``run()`` does it too.
  ///
  /// - Throws: ``MoveFailure``, and the errors of the databases.
  package func begin() throws {
    try source.blockingRead { source in
      try target.begin(from: try Epoch.current(in: source))
    }
  }

  /// Does all of it on the calling thread.
  ///
  /// - Throws: ``MoveFailure``; the errors of the databases, of the folder and of the object store.
  package func run() throws -> Summary {
    // One transaction sees one state of the source, also while servers write.
    try source.blockingRead { source in
      if blobs.areObjects { try ObjectRecords.keepObjects(in: source) }
      try target.begin(from: try Epoch.current(in: source))
      let copied = try target.fill { target in try copy(source, to: target) }
      let verified = try target.read { target in try verify(target, copied.tables) }
      for (table, digest) in copied.digests where verified[table] != digest {
        throw MoveFailure.differs(table)
      }
      let seconds = now().millisecondsSince1970 / 1000
      try target.finish { target in try Epoch.renew(in: target, versionsAbove: seconds) }
      return copied.summary
    }
  }

  /// What a copy has read.
  private struct Copied {
    var tables: [(MovedTable, TableCopy)] = []
    var digests: [String: TableDigest] = [:]
    var summary = Summary()
  }

  private func copy(
    _ source: borrowing Transaction, to target: borrowing Transaction
  ) throws -> Copied {
    var copied = Copied()
    for table in MovedTable.all {
      let copy = try TableCopy(
        table, try TableColumn.all(of: table.name, in: source),
        try TableColumn.all(of: table.name, in: target), digest: digest)
      copied.tables.append((table, copy))
    }
    let all = try count(source)
    var done: Int64 = 0
    func progress(_ more: Int) {
      done += Int64(more)
      tell(.copying(done: done, all: all))
    }
    let pictures = PictureCopy(digest: digest) { tell(.broken($0)) }
    let (found, bytes) = try pictures.copy(
      from: source, blobs, to: target, self.target.blobs, progress: progress)
    copied.digests[MovedTable.blobs] = found
    (copied.summary.pictures, copied.summary.pictureBytes) = (found.rows, bytes)
    for (table, copy) in copied.tables {
      let found = try copy.copy(from: source, to: target, progress: progress)
      copied.digests[table.name] = found
      copied.summary.rows += found.rows
    }
    copied.summary.memes = copied.digests["memes"]?.rows ?? 0
    copied.summary.accounts = copied.digests["users"]?.rows ?? 0
    for table in MovedTable.all.filter(\.isNumbered).map({ ($0.name, "seq") }) + [
      (MovedTable.blobs, "id")
    ] {
      let highest = try RowNumbers.highest(of: table.0, table.1, in: source)
      try RowNumbers.set(highest, of: table.0, table.1, in: target)
    }
    try MoveFailure.writing("meme_words") { try insertIndexedWords(in: target) }
    return copied
  }

  private func verify(
    _ db: borrowing Transaction, _ tables: [(MovedTable, TableCopy)]
  ) throws -> [String: TableDigest] {
    let all = try count(db)
    var done: Int64 = 0
    func progress(_ more: Int) {
      done += Int64(more)
      tell(.verifying(done: done, all: all))
    }
    var found: [String: TableDigest] = [:]
    found[MovedTable.blobs] = try PictureCopy(digest: digest, report: { _ in }).verify(
      db, target.blobs, progress: progress)
    for (table, copy) in tables { found[table.name] = try copy.verify(db, progress: progress) }
    return found
  }

  /// The number of rows and pictures.
  private func count(_ db: borrowing Transaction) throws -> Int64 {
    var all = try OwnedPicture.count(in: db)
    for table in MovedTable.all {
      all += try db.value("SELECT count(*) FROM \(table.source(db.dialect))") ?? 0
    }
    return Int64(all)
  }
}
