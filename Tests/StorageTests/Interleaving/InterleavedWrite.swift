import Memes
import SQL
import Testing

@testable import Storage

/// A write of two that happen at once, and the name of its result.
struct InterleavedWrite: Sendable, CustomTestStringConvertible {
  /// A result that is no error.
  struct Result: Error, CustomStringConvertible {
    let description: String
  }

  let name: String
  let run: @Sendable (any Database, InterleavedScene) async throws -> Void

  init(
    _ name: String, _ run: @escaping @Sendable (any Database, InterleavedScene) async throws -> Void
  ) {
    (self.name, self.run) = (name, run)
  }

  /// A write whose result matters.
  init(
    telling name: String,
    _ run: @escaping @Sendable (any Database, InterleavedScene) async throws -> Any
  ) {
    self.init(name) { database, scene in
      let result = try await run(database, scene)
      throw Result(description: "\(result)")
    }
  }

  var testDescription: String { name }

  func result(_ database: any Database, _ scene: InterleavedScene) async -> String {
    await failure { try await run(database, scene) }
  }

  static let time = Timestamp(millisecondsSince1970: 5)
}
