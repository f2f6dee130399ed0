/// Who is to be woken when. Times are steps, so that many who wait about as long are woken together.
struct DeadlineTable<Key: Hashable> {
  private var keys: [Int: Set<Key>] = [:]

  /// The first step at which somebody is to be woken. Goes through the steps, of which there are no more than the longest wait has.
  var first: Int? { keys.keys.min() }

  mutating func insert(_ key: Key, at step: Int) { keys[step, default: []].insert(key) }

  mutating func remove(_ key: Key, at step: Int) {
    keys[step]?.remove(key)
    if keys[step]?.isEmpty == true { keys[step] = nil }
  }

  /// Removes those whose step has come, and returns them.
  mutating func removeAll(upTo step: Int) -> [Key] {
    let due = keys.keys.filter { $0 <= step }
    return due.flatMap { keys.removeValue(forKey: $0) ?? [] }
  }
}
