extension String {
  /// Calls `body` with the text's UTF-8, which is valid during the call only.
  @inlinable
  package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    // Only a string of Objective-C's is kept in another way.
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}
