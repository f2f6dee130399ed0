import Bytes

/// How large a file is.
enum FileSize {
  /// - Returns: 0 where there is no such file.
  static func bytes(at path: String) -> Int { FileStatus(of: path)?.byteCount ?? 0 }
}
