package import Bytes
package import Objects
import Synchronization

/// An object store in memory, which can be made to fail.
package final class MemoryObjectStore: ObjectStore {
  private struct State {
    var objects: [ObjectKey: Bytes] = [:]
    var failure: ObjectError?
    var held: ObjectKey?
    var copies = 0
    var reads: [ObjectRead] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// All objects.
  package var objects: [ObjectKey: Bytes] { state.withLock(\.objects) }
  /// The number of copies within the store.
  package var copies: Int { state.withLock(\.copies) }

  /// What was read, in this order.
  package var reads: [ObjectRead] { state.withLock(\.reads) }

  /// Forgets what was read.
  package func forgetReads() { state.withLock { $0.reads = [] } }

  /// Sets the error of all calls from now on; `nil` for none.
  package func fail(with error: ObjectError?) { state.withLock { $0.failure = error } }

  /// Refuses to remove an object, as under a retention rule.
  package func hold(_ key: ObjectKey?) { state.withLock { $0.held = key } }

  /// Replaces an object, as a store may not.
  package func damage(_ key: ObjectKey, _ bytes: Bytes?) {
    state.withLock { $0.objects[key] = bytes }
  }

  package func put(_ bytes: Bytes, at key: ObjectKey) async throws(ObjectError) {
    try blockingPut(bytes, at: key)
  }

  package func blockingPut(_ bytes: Bytes, at key: ObjectKey) throws(ObjectError) {
    try change { $0.objects[key] = bytes }
  }

  package func get(_ key: ObjectKey, upTo limit: Int) async throws(ObjectError) -> Bytes {
    try blockingGet(key, upTo: limit)
  }

  package func blockingGet(_ key: ObjectKey, upTo limit: Int) throws(ObjectError) -> Bytes {
    guard let bytes = try read(key, .whole) else { throw .absent }
    guard bytes.count <= limit else { throw .unreadable("more than \(limit) bytes") }
    return bytes
  }

  package func get(
    _ key: ObjectKey, _ range: Range<Int>, of count: Int
  ) async throws(ObjectError) -> Bytes {
    guard let bytes = try read(key, .part(range)) else { throw .absent }
    guard bytes.count == count, let part = bytes.slice(range) else {
      throw .unreadable("\(bytes.count) bytes instead of \(count)")
    }
    return part
  }

  package func remove(_ key: ObjectKey) async throws(ObjectError) {
    let isHeld = try change { state in
      if state.held != key { state.objects[key] = nil }
      return state.held == key
    }
    if isHeld { throw .rejected("status 403") }
  }

  package func copy(_ key: ObjectKey, to copy: ObjectKey) async throws(ObjectError) {
    let isThere = try change { state in
      state.objects[copy] = state.objects[key]
      state.copies += 1
      return state.objects[key] != nil
    }
    guard isThere else { throw .absent }
  }

  package func list(
    _ prefix: String, _ page: ObjectPage.Next?
  ) async throws(ObjectError) -> ObjectPage {
    let keys = try change { state in
      state.objects.keys.filter { $0.text.hasPrefix(prefix) && $0.text > page?.token ?? "" }
        .sorted { $0.text < $1.text }
    }
    let shown = Array(keys.prefix(3))
    return ObjectPage(
      keys: shown,
      next: shown.count < keys.count ? shown.last.map { ObjectPage.Next(token: $0.text) } : nil)
  }

  private func read(_ key: ObjectKey, _ read: ObjectRead) throws(ObjectError) -> Bytes? {
    try change { state in
      state.reads.append(read)
      return state.objects[key]
    }
  }

  private func change<Value: Sendable>(
    _ body: (inout State) -> Value
  ) throws(ObjectError) -> Value {
    let result: Result<Value, ObjectError> = state.withLock { state in
      if let failure = state.failure { return .failure(failure) }
      return .success(body(&state))
    }
    return try result.get()
  }
}

/// What a call read of an object.
package enum ObjectRead: Equatable, Sendable {
  case whole
  case part(Range<Int>)
}
