/// The maximum size of a batch. Other writers wait during its transaction.
package struct PurgeBatch: Sendable, Equatable {
  package let count: Int
  /// The total size of the files. A batch has at least one item, whatever its size.
  package let bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }

  /// Takes some tens of milliseconds on a current disk, because freed space is overwritten.
  package static let standard = PurgeBatch(count: 64, bytes: 8 << 20)
}
