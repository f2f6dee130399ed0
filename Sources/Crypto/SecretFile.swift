import Foundation

/// Secrets that outlive the process, each in a file that only its owner can read.
package enum SecretFile {
  /// Why a file cannot be used.
  package enum Failure: Error, Equatable {
    /// Others than the owner may read or write the file; its permission bits.
    case exposed(path: String, mode: UInt32)
    /// The file does not hold what it should.
    case malformed(path: String)
    /// The system call that failed, and its error number.
    case io(path: String, call: String, errno: Int32)
  }

  /// Reads the key in the file, or makes one of random bytes where there is no file.
  ///
  /// - Parameter count: the number of bytes that the file must have.
  package static func key(at path: String, bytes count: Int) throws(Failure) -> Secret {
    let content = try readOrCreate(path) { Random.bytes(count) }
    guard content.count == count else { throw .malformed(path: path) }
    return Secret(content)
  }

  /// Reads the token in the file, or makes one where there is none: 32 random bytes in base64url and a newline.
  ///
  /// A token that somebody else wrote there will do, if it has at least 16 visible ASCII characters and no spaces.
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
      // Another process may have been faster: what is in the file counts.
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

  /// Makes the file with all of its content or not at all, even if the machine goes down meanwhile.
  private static func create(_ path: String, _ content: [UInt8]) throws(Failure) {
    let draft = path + ".\(getpid()).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .io(path: path, call: "open", errno: errno) }
    defer {
      close(file)
      unlink(draft)
    }
    guard write(file, content, content.count) == content.count, fsync(file) == 0 else {
      throw .io(path: path, call: "write", errno: errno)
    }
    // Unlike rename, link never replaces a file that somebody else has made meanwhile.
    guard link(draft, path) == 0 || errno == EEXIST else {
      throw .io(path: path, call: "link", errno: errno)
    }
    try syncFolder(of: path)
  }

  private static func syncFolder(of path: String) throws(Failure) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(path: path, call: "open", errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(path: path, call: "fsync", errno: errno) }
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
