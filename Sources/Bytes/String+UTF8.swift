extension String {
  /// Calls `body` with the text's UTF-8 bytes. The pointer is valid only during the call.
  @inlinable
  package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    // Only strings bridged from Objective-C have no contiguous UTF-8 storage.
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}
