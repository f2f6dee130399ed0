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
  /// The server that is killed, or `nil` for the one that was built with the tests.
  static let server = variables["TORTURE_SERVER"].map { URL(filePath: $0) }
}
