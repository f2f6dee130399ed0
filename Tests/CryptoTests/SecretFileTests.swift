import Crypto
import Files
import Foundation
import Testing

@Suite struct SecretFileTests {
  @Test func `a key is created once, for its owner only, and then kept`() throws {
    try withFolder { folder in
      let path = folder + "/secret-key"
      let first = try SecretFile.key(at: path, bytes: 32)
      let second = try SecretFile.key(at: path, bytes: 32)
      #expect(first.count == 32)
      #expect(second.matches(first.withUnsafeBytes { Array($0) }))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["secret-key"])
    }
  }

  @Test func `a token is a line of 43 characters`() throws {
    try withFolder { folder in
      let path = folder + "/admin-token"
      let token = try SecretFile.token(at: path)
      let line = try String(contentsOfFile: path, encoding: .utf8)
      #expect(line.count == 44 && line.hasSuffix("\n"))
      #expect(token.matches(Array(line.utf8.dropLast())))
      #expect(Base64URL.decode(String(line.dropLast()))?.count == 32)
      #expect(try SecretFile.token(at: path).matches(Array(line.utf8.dropLast())))
    }
  }

  @Test func `a file that others can read is rejected`() throws {
    try withFolder { folder in
      let path = folder + "/secret-key"
      _ = try SecretFile.key(at: path, bytes: 32)
      chmod(path, 0o640)
      #expect(throws: SecretFile.Failure.exposed(path: path, mode: 0o640)) {
        try SecretFile.key(at: path, bytes: 32)
      }
    }
  }

  @Test(arguments: ["", "short", "spaces in the middle of it", "zeichen-mit-ümlaut-drin"])
  func `a malformed token is rejected`(content: String) throws {
    try withFolder { folder in
      let path = folder + "/admin-token"
      try Data(content.utf8).write(to: URL(filePath: path))
      chmod(path, 0o600)
      #expect(throws: SecretFile.Failure.malformed(path: path)) {
        try SecretFile.token(at: path)
      }
    }
  }

  @Test func `the advice for a malformed key begins with the backup`() {
    let advice = "\(SecretFile.Failure.malformed(path: "/data/secret-key"))"
    #expect(advice.hasPrefix("/data/secret-key is malformed. Restore it from a backup"))
    #expect(advice.contains("invalidates delete tokens"))
  }

  @Test func `a key of another length is rejected and left in place`() throws {
    try withFolder { folder in
      let path = folder + "/secret-key"
      _ = try SecretFile.key(at: path, bytes: 16)
      #expect(throws: SecretFile.Failure.malformed(path: path)) {
        try SecretFile.key(at: path, bytes: 32)
      }
      #expect(try SecretFile.key(at: path, bytes: 16).count == 16)
    }
  }

  @Test(arguments: [0, 31, 33, 4096, 4097])
  func `a key of the operator with another length is rejected with the length`(count: Int) throws {
    try withFolder { folder in
      let path = folder + "/key"
      try Data(repeating: 7, count: count).write(to: URL(filePath: path))
      chmod(path, 0o600)
      #expect(throws: SecretFile.Failure.size(path: path, required: 32)) {
        try SecretFile.existingKey(at: path, bytes: 32)
      }
      #expect(throws: SecretFile.Failure.size(path: folder, required: 32)) {
        try SecretFile.existingKey(at: folder, bytes: 32)
      }
    }
  }

  @Test func `the error for a missing folder contains the path`() {
    #expect(throws: FileError("open", "/nonexistent/key", errno: ENOENT)) {
      try SecretFile.key(at: "/nonexistent/key", bytes: 32)
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "mememe-secret-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
