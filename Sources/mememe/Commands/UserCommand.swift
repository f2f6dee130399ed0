import Assets
import Foundation
import Memes
import Services
import Storage

/// `mememe user`: creates and lists accounts, assigns roles, and suspends accounts.
///
/// Exits 0 on success, 1 on failure.
struct UserCommand {
  private let order: UserOptions
  private let settings: Settings

  init(_ order: UserOptions, _ settings: Settings) {
    (self.order, self.settings) = (order, settings)
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let people = try UserCommandContext(settings)
      do { try await follow(at: people) } catch {
        await people.close()
        throw error
      }
      await people.close()
      return 0
    } catch {
      FileHandle.standardError.write(Data("mememe: \(Self.reason(of: error))\n".utf8))
      return 1
    }
  }

  private func follow(at people: UserCommandContext) async throws {
    switch order {
    case .create(let username, let email, let role):
      let password = try PasswordPrompt.read()
      try await people.accounts.create(
        username, email, password: password,
        rules: PasswordRules(common: Assets.commonPasswords), role: role)
      print("\(username) has an account now, as \(role.rawValue).")
    case .list:
      try people.list.each { username, email, accountStatus in
        let state = accountStatus.isSuspended ? "suspended" : "active"
        print("\(username)\t\(accountStatus.role.rawValue)\t\(state)\t\(email)")
      }
    case .give(let role, let username):
      try await people.statuses.give(role, to: username, by: .command, at: .now())
      print("\(username) is \(role.rawValue) now.")
    case .suspend(let username, let reason):
      try await people.statuses.suspend(
        username, because: reason, by: .command, at: .now())
      print("\(username) is suspended now.")
    case .unsuspend(let username):
      try await people.statuses.unsuspend(username, by: .command, at: .now())
      print("\(username) is not suspended now.")
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case MemeError.notFound: "nobody has this username"
    case MemeError.usernameTaken: "somebody has this username"
    case MemeError.emailTaken: "somebody has registered with this email"
    case MemeError.invalid(let field, let value): "\(field): \(value.message)"
    case let error as MemeError: error.reason
    case PasswordPrompt.Failure.none: "no password was given"
    case PasswordPrompt.Failure.differs: "the two passwords are not the same"
    default: "\(error)"
    }
  }
}
