import Foundation
import MemeMeClient

/// The signed-in account, in a file in the folder of the library that only its owner can read.
struct SignedInAccount: Codable {
  let server: URL
  let username: String
  let token: Token

  private static func file(in store: URL) -> URL { store.appending(path: "session.json") }

  /// - Returns: `nil` if no account is signed in.
  static func read(in store: URL) throws -> SignedInAccount? {
    let file = file(in: store)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do { return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)) } catch {
      throw Failure(reason: "cannot read \(file.path); log in again")
    }
  }

  /// Replaces the stored account atomically. It is durable before it replaces the previous one, which a power failure
  /// could otherwise replace with an empty file.
  func write(in store: URL) throws {
    let file = Self.file(in: store)
    let new = store.appending(path: "session.json.new")
    try? FileManager.default.removeItem(at: new)
    let isMade = FileManager.default.createFile(
      atPath: new.path, contents: try JSONEncoder().encode(self),
      attributes: [.posixPermissions: 0o600])
    do {
      guard isMade else { throw CocoaError(.fileWriteUnknown) }
      let handle = try FileHandle(forWritingTo: new)
      try handle.synchronize()
      try handle.close()
      guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch { throw Failure(reason: "cannot write \(file.path)") }
  }

  static func remove(in store: URL) { try? FileManager.default.removeItem(at: file(in: store)) }
}
