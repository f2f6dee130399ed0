import Bytes
import Files
import Foundation

/// Secrets that persist across restarts, each in a file that only its owner can read.
package enum SecretFile {
  /// An error while reading or creating a secret file.
  package enum Failure: Error, Equatable {
    /// Users other than the owner may read or write the file. `mode` has its permission bits.
    case exposed(path: String, mode: UInt32)
    /// The content of the file is not valid.
    case malformed(path: String)
    /// A system call failed with this error number.
    case io(path: String, call: String, errno: Int32)
  }

  /// Reads the key from the file. If the file does not exist, creates it with a random key.
  ///
  /// - Parameter count: the required size of the key in bytes.
  package static func key(at path: String, bytes count: Int) throws(Failure) -> Secret {
    let content = try readOrCreate(path) { Random.bytes(count) }
    guard content.count == count else { throw .malformed(path: path) }
    return Secret(content)
  }

  /// Reads the token from the file. If the file does not exist, creates it with 32 random bytes in base64url.
  ///
  /// The operator may write another token: it needs at least 16 visible ASCII characters and no
  /// spaces. Trailing line breaks are ignored.
  package static func token(at path: String) throws(Failure) -> Secret {
    var content = try readOrCreate(path) { Array((Base64URL.encode(Random.bytes(32)) + "\n").utf8) }
    while content.last == UInt8(ascii: "\n") || content.last == UInt8(ascii: "\r") {
      content.removeLast()
    }
    guard content.count >= 16, content.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed(path: path)
    }
    return Secret(content)
  }

  private static func readOrCreate(
    _ path: String, _ make: () -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try read(path)
    } catch .io(_, _, ENOENT) {
      try create(path, make())
      // Another process may have created the file first. Its content takes precedence.
      return try read(path)
    }
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .io(path: path, call: "open", errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .io(path: path, call: "fstat", errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 4096 else {
      throw .malformed(path: path)
    }
    let mode = UInt32(status.st_mode) & 0o777
    guard mode & 0o077 == 0 else { throw .exposed(path: path, mode: mode) }
    var content = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Foundation.read(file, &content, content.count)
    guard count >= 0 else { throw .io(path: path, call: "read", errno: errno) }
    return Array(content.prefix(count))
  }

  /// Creates the file with all of its content or not at all, even if the machine crashes in between.
  private static func create(_ path: String, _ content: [UInt8]) throws(Failure) {
    let draft = path + ".\(getpid()).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .io(path: path, call: "open", errno: errno) }
    defer {
      close(file)
      unlink(draft)
    }
    do throws(FileError) {
      try Files.write(Bytes(content), to: file, path: path)
      try Files.sync(file, path: path)
    } catch { throw .io(path: path, call: error.call, errno: error.errno) }
    // Unlike rename, link never replaces a file that another process has created in the meantime.
    guard link(draft, path) == 0 || errno == EEXIST else {
      throw .io(path: path, call: "link", errno: errno)
    }
    do throws(FileError) { try Files.syncParent(of: path) } catch {
      throw .io(path: path, call: error.call, errno: error.errno)
    }
  }
}

extension SecretFile.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exposed(let path, let mode):
      "\(path) has mode \(String(mode, radix: 8)), so others can read it: chmod 600 \(path)"
    case .malformed(let path):
      "\(path) does not hold what it should; without the file a new one is made"
    case .io(let path, let call, let code): "\(path): \(call): \(String(cString: strerror(code)))"
    }
  }
}
