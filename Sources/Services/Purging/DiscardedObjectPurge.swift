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

  /// - Throws: an error of the batch, after the others were deleted. An object whose deletion the store refuses then
  ///   waits for another grace, so that it does not keep later ones from being deleted. If the store does not answer,
  ///   the batch ends.
  package func purgeBatch() async throws -> Int {
    let keys = try await records.discarded(forSeconds: graceSeconds, limit: Self.batchCount)
    guard !keys.isEmpty else { return 0 }
    let results = await remove(keys)
    try await records.forget(results.filter { $0.error == nil }.map(\.key))
    let failures = results.filter { $0.error != nil }
    try await records.postpone(failures.filter { !$0.isAway }.map(\.key))
    if let error = failures.first?.error { throw error }
    return keys.count
  }

  private struct Removal: Sendable {
    let key: ObjectKey
    let error: ObjectError?

    var isAway: Bool { if case .unavailable = error { true } else { false } }
  }

  private func remove(_ keys: [ObjectKey]) async -> [Removal] {
    await withTaskGroup(of: Removal.self) { group in
      var results: [Removal] = []
      for (index, key) in keys.enumerated() where results.last?.isAway != true {
        if index >= Self.parallel, let result = await group.next() { results.append(result) }
        group.addTask { [objects] in
          do throws(ObjectError) { try await objects.remove(key) } catch {
            return Removal(key: key, error: error)
          }
          return Removal(key: key, error: nil)
        }
      }
      for await result in group { results.append(result) }
      return results
    }
  }
}
