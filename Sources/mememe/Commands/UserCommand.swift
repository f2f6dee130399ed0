import Foundation
import Memes
import Services
import Storage

/// `mememe user`: creates and lists accounts, assigns roles, suspends accounts, and turns off second
/// factors.
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
      FileHandle.standardError.put("mememe: \(Self.reason(of: error))\n")
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
      print("Created the account \(username) with role \(role.rawValue).")
    case .list:
      try people.list.each { username, email, accountStatus in
        let state = accountStatus.isSuspended ? "suspended" : "active"
        print("\(username)\t\(accountStatus.role.rawValue)\t\(state)\t\(email)")
      }
    case .give(let role, let username):
      try await people.statuses.change(
        AccountChange(role: role), of: username, by: .command, at: .now())
      print("Changed the role of \(username) to \(role.rawValue).")
    case .suspend(let username, let reason):
      try await people.statuses.suspend(
        username, because: reason, by: .command, at: .now())
      print("Suspended \(username).")
    case .unsuspend(let username):
      try await people.statuses.unsuspend(username, by: .command, at: .now())
      print("Unsuspended \(username).")
    case .turnOffSecondFactor(let username):
      try await people.statuses.turnOffSecondFactor(of: username, by: .command, at: .now())
      print("Turned off the second factor of \(username).")
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case MemeError.notFound: "no user has this username"
    case MemeError.usernameTaken: "this username is taken"
    case MemeError.emailTaken: "this email is already in use"
    case MemeError.invalid(let field, let value): "\(field): \(value.message)"
    case PasswordPrompt.Failure.none: "no password given"
    case PasswordPrompt.Failure.differs: "the passwords do not match"
    default: error.reason
    }
  }
}
