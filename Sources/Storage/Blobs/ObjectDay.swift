package import Memes
import Objects

/// A day in UTC. The key of an object begins with the day on which it was put.
package struct ObjectDay: Comparable, Sendable {
  /// The number of days since 1 January 1970.
  let number: Int64

  init(number: Int64) { self.number = number }

  package init(_ time: Timestamp) { number = time.daysSince1970 }

  package static func < (left: ObjectDay, right: ObjectDay) -> Bool { left.number < right.number }

  package func advanced(by days: Int) -> ObjectDay { ObjectDay(number: number + Int64(days)) }

  /// The beginning of the keys, such as `20261125/`.
  package var prefix: String { "\(text)/" }

  func newKey() -> ObjectKey { ObjectKey.new(in: text) }

  private var text: String {
    let time = Timestamp(millisecondsSince1970: number * 86_400_000)
    return String(time.description.prefix { $0 != "T" }.filter { $0 != "-" })
  }
}
