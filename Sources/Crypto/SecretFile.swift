import Bytes
import Files
import Foundation

/// Secrets that persist across restarts, each in a file that only its owner can read.
package enum SecretFile {
  /// The reason why the content of a file is not a secret.
  package enum Failure: Error, Equatable {
    /// Users other than the owner may read or write the file. `mode` has its permission bits.
    case exposed(path: String, mode: UInt32)
    /// The content of the file is not valid.
    case malformed(path: String)
    /// A key that the operator provides has another size.
    case size(path: String, required: Int)
  }

  /// Reads the key from the file. If the file does not exist, creates it with a random key.
  ///
  /// - Parameter count: the required size of the key in bytes.
  /// - Throws: ``Failure``, ``FileError``.
  package static func key(at path: String, bytes count: Int) throws -> Secret {
    let content = try readOrCreate(path) { Random.bytes(count) }
    guard content.count == count else { throw Failure.malformed(path: path) }
    return Secret(content)
  }

  /// Reads the key from a file that exists.
  ///
  /// - Throws: ``Failure``, ``FileError``.
  package static func existingKey(at path: String, bytes count: Int) throws -> Secret {
    let content: [UInt8]
    do { content = try read(path) } catch Failure.malformed {
      // Too large, or not a file. The advice of that failure is for files that the server makes.
      throw Failure.size(path: path, required: count)
    }
    guard content.count == count else { throw Failure.size(path: path, required: count) }
    return Secret(content)
  }

  /// Reads a text from a file that exists.
  ///
  /// - Throws: ``Failure``, ``FileError``.
  package static func existingText(at path: String) throws -> String {
    guard let text = String(validating: try read(path), as: UTF8.self) else {
      throw Failure.malformed(path: path)
    }
    return text
  }

  /// Reads the token from the file. If the file does not exist, creates it with 32 random bytes in base64url.
  ///
  /// The operator may write another token: it needs at least 16 visible ASCII characters and no
  /// spaces. Trailing line breaks are ignored.
  ///
  /// - Throws: ``Failure``, ``FileError``.
  package static func token(at path: String) throws -> Secret {
    var content = try readOrCreate(path) { Array((Base64URL.encode(Random.bytes(32)) + "\n").utf8) }
    while content.last == UInt8(ascii: "\n") || content.last == UInt8(ascii: "\r") {
      content.removeLast()
    }
    guard content.count >= 16, content.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure.malformed(path: path)
    }
    return Secret(content)
  }

  private static func readOrCreate(_ path: String, _ make: () -> [UInt8]) throws -> [UInt8] {
    do {
      return try read(path)
    } catch let error as FileError where error.errno == ENOENT {
      try create(path, make())
      // Another process may have created the file first. Its content takes precedence.
      return try read(path)
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("open", path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError("fstat", path) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 4096 else {
      throw Failure.malformed(path: path)
    }
    let mode = UInt32(status.st_mode) & 0o777
    guard mode & 0o077 == 0 else { throw Failure.exposed(path: path, mode: mode) }
    var content = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Foundation.read(file, &content, content.count)
    guard count >= 0 else { throw FileError("read", path) }
    return Array(content.prefix(count))
  }

  /// Creates the file with all of its content or not at all, even if the machine crashes in between.
  private static func create(_ path: String, _ content: [UInt8]) throws(FileError) {
    let draft = path + ".\(getpid()).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("open", path) }
    defer {
      close(file)
      unlink(draft)
    }
    try Files.write(Bytes(content), to: file, path: path)
    try Files.sync(file, path: path)
    // Unlike rename, link never replaces a file that another process has created in the meantime.
    if link(draft, path) != 0, errno != EEXIST {
      let error = errno
      // Some file systems have no hard links, such as exFAT.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error) else {
        throw FileError("link", path, errno: error)
      }
      guard rename(draft, path) == 0 else { throw FileError("rename", path) }
    }
    try Files.syncParent(of: path)
  }
}

extension SecretFile.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exposed(let path, let mode):
      "\(path) has mode \(String(mode, radix: 8)), so other users can read it. Run: chmod 600 \(path)"
    case .malformed(let path):
      """
      \(path) is malformed. Restore it from a backup, or delete it to generate a new one. A new secret-key invalidates \
      delete tokens, second factors and the secrets of connections.
      """
    case .size(let path, let required):
      "\(path) must have exactly \(required) bytes. Make one with: head -c \(required) /dev/urandom"
    }
  }
}
