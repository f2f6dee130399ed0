import Dispatch
import Synchronization

/// Runs `body` for each element at the same time, on threads that may wait, and waits for all of them.
///
/// - Returns: the results, in the order of the elements.
/// - Throws: the error of the first element that has one.
func sideBySide<Element: Sendable, Value: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Value
) throws -> [Value] {
  let (results, group) = (Results<Value>(), DispatchGroup())
  let threads = DispatchQueue(label: "side by side", attributes: .concurrent)
  for (place, element) in elements.enumerated() {
    threads.async(group: group) {
      let result = Result { try body(element) }
      results.values.withLock { $0[place] = result }
    }
  }
  group.wait()
  let values = results.values.withLock(\.self)
  return try elements.indices.compactMap { try values[$0]?.get() }
}

private final class Results<Value: Sendable>: Sendable {
  let values = Mutex<[Int: Result<Value, any Error>]>([:])
}
