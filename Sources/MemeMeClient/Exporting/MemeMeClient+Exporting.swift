public import Foundation

extension MemeMeClient {
  /// Fetches everything that is one's own, as a ZIP archive.
  ///
  /// - Parameter file: where it is to be. There is nothing before all of it has come; what was there is replaced.
  public func exportAccount(to file: URL) async throws {
    var call = Call(.exportAccount)
    call.accept = "application/zip"
    try await download(call, to: file)
  }

  /// Writes an answer's body into a file as it comes.
  private func download(_ call: Call, to file: URL) async throws {
    try await limited {
      let partial = file.deletingLastPathComponent()
        .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
      guard
        FileManager.default.createFile(
          atPath: partial.path(percentEncoded: false), contents: nil,
          attributes: [.posixPermissions: 0o600])
      else { throw MemeMeError.unreadableFile("no file can be made at \(file.path())") }
      do {
        try await repeating(call) { try await open(call).write(to: partial) }
        if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
          try FileManager.default.removeItem(at: file)
        }
        try FileManager.default.moveItem(at: partial, to: file)
      } catch {
        try? FileManager.default.removeItem(at: partial)
        throw error
      }
    }
  }
}

extension IncomingAnswer {
  /// Writes the body into a file that is there, from its beginning.
  fileprivate func write(to file: URL) async throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: 0)
    try await forEach { try handle.write(contentsOf: $0) }
    try handle.synchronize()
  }
}
