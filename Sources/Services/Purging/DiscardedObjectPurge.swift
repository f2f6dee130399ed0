package import Objects
package import Storage

/// Deletes objects that no row has named for a grace. Several servers may do this at the same time: to delete an object
/// twice has no effect.
package struct DiscardedObjectPurge: Purge {
  /// How many objects a batch has, and how many are deleted at a time.
  private static let (batchCount, parallel) = (200, 8)

  private let objects: any ObjectStore
  private let records: ObjectRecords
  private let graceSeconds: Int

  package init(_ objects: any ObjectStore, _ records: ObjectRecords, graceSeconds: Int) {
    (self.objects, self.records, self.graceSeconds) = (objects, records, graceSeconds)
  }

  package func purgeBatch() async throws -> Int {
    let keys = try await records.discarded(forSeconds: graceSeconds, limit: Self.batchCount)
    guard !keys.isEmpty else { return 0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, key) in keys.enumerated() {
        if index >= Self.parallel { try await group.next() }
        group.addTask { [objects] in try await objects.remove(key) }
      }
      try await group.waitForAll()
    }
    try await records.forget(keys)
    return keys.count
  }
}
