/// The maximum number of items on a page: 1 to 100.
package struct PageLimit: Hashable, Sendable {
  package static let range = 1...100
  package static let standard = PageLimit(unchecked: 30)

  package let count: Int

  package init(_ count: Int) throws(InvalidValue) {
    guard Self.range.contains(count) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "Must be a whole number from \(Self.range.lowerBound) to \(Self.range.upperBound)."
      )
    }
    self.count = count
  }

  private init(unchecked count: Int) { self.count = count }
}
