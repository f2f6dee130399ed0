import Foundation

/// The subcommands of `mememe`.
enum Command: String, CaseIterable {
  case serve, migrate, check, backup, restore, user, `import`, export, healthcheck, version, help

  var summary: String {
    switch self {
    case .serve: "run the server"
    case .migrate:
      "bring the database up to date, and end; --no-restore-point for want of room"
    case .check:
      "look for damage in all that is kept, beside a server too; exit 1 if there is some; --decode decodes every picture; --repair mends, without a server"
    case .backup:
      "make a backup, beside a server too, and print its path; exit 1 where there is none"
    case .restore: "put a backup in the place of the database, which is kept; without a server"
    case .user: "make and list accounts, give roles, suspend; mememe user says how"
    case .import: "make memes of a folder of pictures with a list; mememe import says how"
    case .export: "write all memes into a folder, beside a server too; mememe export says how"
    case .healthcheck: "ask the running server whether it answers; exit 0 if so"
    case .version: "print the versions of this build and its libraries"
    case .help: "print this"
    }
  }

  /// The output of `mememe help`.
  static var usage: String {
    let commands = allCases.map { "  \($0.rawValue.padded(to: 14))\($0.summary)" }
    let settings = Setting.all.map { setting in
      "  \(setting.flag.padded(to: 22))\(setting.variable.padded(to: 26))\(setting.help) (\(setting.standard))"
    }
    return """
      usage: mememe <command> [--flag value ...]

      \(commands.joined(separator: "\n"))

      Each flag is also an environment variable:

      \(settings.joined(separator: "\n"))
      """
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}

extension Command {
  /// Whether the command works directly in the data folder. `serve` is not among these commands, since the server may
  /// need root's privileges for its port.
  var usesDataFolder: Bool {
    switch self {
    case .migrate, .check, .backup, .restore, .user, .import, .export: true
    case .serve, .healthcheck, .version, .help: false
    }
  }
}
