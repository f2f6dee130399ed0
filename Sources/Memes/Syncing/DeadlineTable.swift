/// Deadlines by time step, so that waits with similar deadlines end together.
struct DeadlineTable<Key: Hashable> {
  private var keys: [Int: Set<Key>] = [:]

  /// The first step with a deadline. Scans all steps; the longest wait bounds their number.
  var first: Int? { keys.keys.min() }

  mutating func insert(_ key: Key, at step: Int) { keys[step, default: []].insert(key) }

  mutating func remove(_ key: Key, at step: Int) {
    keys[step]?.remove(key)
    if keys[step]?.isEmpty == true { keys[step] = nil }
  }

  /// Removes and returns the keys whose step has passed.
  mutating func removeAll(upTo step: Int) -> [Key] {
    let due = keys.keys.filter { $0 <= step }
    return due.flatMap { keys.removeValue(forKey: $0) ?? [] }
  }
}
