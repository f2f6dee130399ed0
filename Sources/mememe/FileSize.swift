import Bytes

enum FileSize {
  /// - Returns: the size of the file in bytes; 0 if it does not exist.
  static func bytes(at path: String) -> Int { FileStatus(of: path)?.byteCount ?? 0 }
}
