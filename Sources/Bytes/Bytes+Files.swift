package import Files

extension Files {
  /// Writes all bytes at the current position of the descriptor.
  ///
  /// - Parameter path: for the error only.
  package static func write(
    _ bytes: Bytes, to descriptor: Int32, path: String
  ) throws(FileError) {
    try bytes.withUnsafeBytes { bytes throws(FileError) in
      try write(bytes, to: descriptor, path: path)
    }
  }
}
