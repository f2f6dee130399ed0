/// Bytes in another system, such as an object store. Their number is known without reading them.
package protocol RemoteBytes: Sendable {
  /// The number of all bytes.
  var count: Int { get }

  /// Reads a part of the bytes, or all of them.
  ///
  /// - Parameter range: within all bytes, counted from 0.
  /// - Returns: exactly the bytes of the range.
  /// - Throws: the errors of the other system.
  func bytes(in range: Range<Int>) async throws -> Bytes
}
