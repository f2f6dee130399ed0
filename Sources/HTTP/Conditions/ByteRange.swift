/// The single range that a `Range` field requests (RFC 9110 §14.1.2).
package enum ByteRange: Equatable, Sendable {
  /// `a-b` or `a-`: from a position, counted from 0, through another position or to the end.
  case from(Int, through: Int?)
  /// `-n`: this many bytes at the end.
  case last(Int)

  /// Parses a field's value. A position that does not fit in an `Int` becomes `Int.max`, which is after any end.
  ///
  /// - Returns: `nil` if the server ignores the field and sends the whole representation. The field is malformed, has
  ///   another unit, or requests several ranges, which a server may ignore (RFC 9110 §14.2).
  package init?(_ text: String) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides[0].lowercased() == "bytes" else { return nil }
    let ends = sides[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Self.position(ends[0]), Self.position(ends[1])) {
    case (let first?, let last?) where first <= last: self = .from(first, through: last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
    case (nil, let count?) where ends[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  /// The requested part of `count` bytes.
  ///
  /// - Returns: `nil` if the range cannot be satisfied.
  package func resolved(in count: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      guard first < count else { return nil }
      return first..<min(last ?? count, count - 1) + 1
    case .last(let length):
      guard length > 0, count > 0 else { return nil }
      return count - min(length, count)..<count
    }
  }

  private static func position(_ digits: Substring) -> Int? {
    let isNumber = digits.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard isNumber, !digits.isEmpty else { return nil }
    return Int(digits) ?? .max
  }
}
