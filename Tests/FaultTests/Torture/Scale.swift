import Foundation

/// How long the fault tests take. `script/torture` and `script/test --long` try every call; `script/test` tries some.
enum Scale {
  private static let variables = ProcessInfo.processInfo.environment

  static let isLong = variables["TORTURE_LIVES"] != nil
  /// The first seed. Each life prints its own.
  static let seed = variables["TORTURE_SEED"].flatMap { UInt64($0) } ?? 20_240
  static let lives = variables["TORTURE_LIVES"].flatMap { UInt64($0) } ?? 2
  /// How often the server of one life is killed.
  static let rounds = variables["TORTURE_ROUNDS"].flatMap { Int($0) } ?? 5
  /// How many servers share a database, and how long `script/torture --servers` torments them.
  static let servers = variables["TORTURE_SERVERS"].flatMap { Int($0) } ?? 3
  static let serverLives = variables["TORTURE_SERVERS"] == nil ? 1 : lives
  static let serverRounds = variables["TORTURE_SERVERS"] == nil ? isLong ? 5 : 1 : rounds
  /// Whether these servers keep pictures in an object store.
  static let hasObjects = variables["TORTURE_OBJECTS"] != nil
  /// The server that is killed, or `nil` for the one that was built with the tests.
  static let server = variables["TORTURE_SERVER"].map { URL(filePath: $0) }
}
