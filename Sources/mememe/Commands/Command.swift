import Arguments

/// The subcommands of `mememe`.
enum Command: String, CaseIterable {
  case serve, migrate, check, backup, restore, move
  case newEpoch = "new-epoch"
  case user, `import`, export, templates, healthcheck, version, help

  var summary: String {
    switch self {
    case .serve: "run the server"
    case .migrate:
      "apply migrations and exit; --no-restore-point skips the safety copy"
    case .check:
      "check the data for damage; exit 1 if there is any; --decode also decodes every picture; --repair repairs it (stop the server first)"
    case .backup:
      "make a backup and print its path; exit 1 on failure"
    case .restore: "replace the database with a backup; keeps the old one (stop the server first)"
    case .move: "copy the data from a data folder to PostgreSQL, or back; run mememe move for help"
    case .newEpoch:
      "after a restore by other means: let clients that sync start over (stop the server first)"
    case .user: "create and list accounts, set roles, suspend; run mememe user for help"
    case .import: "import a folder of pictures with a list; run mememe import for help"
    case .export: "export all memes to a folder; run mememe export for help"
    case .templates: "import and export templates; run mememe templates for help"
    case .healthcheck: "check that the running server responds; exit 0 if it does"
    case .version: "print the versions of MemeMe and its libraries"
    case .help: "print this help; --settings explains the settings"
    }
  }

  /// Reads the first argument. Help and the version have flags too, as in other programs.
  init?(_ word: String) {
    switch word {
    case "--help", "-h": self = .help
    case "--version": self = .version
    default:
      guard let command = Self(rawValue: word) else { return nil }
      self = command
    }
  }

  /// The command that `mememe COMMAND --help` or `mememe help COMMAND` asks about.
  ///
  /// - Parameter words: the arguments after the command.
  /// - Returns: `nil` if the command is to run.
  /// - Throws: ``UsageError`` if there is no such command.
  func topic(of words: [String]) throws(UsageError) -> Command? {
    if words.contains("--help") || words.contains("-h") { return self }
    guard self == .help, let word = words.first, !word.hasPrefix("-") else { return nil }
    guard let command = Command(word) else {
      throw UsageError("Try: mememe help", "unknown command: \(word)")
    }
    return command
  }

  /// The usage of the command if it has its own, otherwise the usage of all commands.
  var helpText: String {
    switch self {
    case .restore: RestoreOptions.usage
    case .move: MoveOptions.usage
    case .user: UserOptions.usage
    case .import: ImportOptions.usage
    case .export: ExportOptions.usage
    case .templates: TemplatesOptions.usage
    case .serve, .migrate, .check, .backup, .newEpoch, .healthcheck, .version, .help: Self.usage
    }
  }

  /// The output of `mememe help`.
  static var usage: String {
    let commands = allCases.map { "  \($0.rawValue.padded(to: 14))\($0.summary)" }
    return """
      usage: mememe <command> [--flag value ...]

      \(commands.joined(separator: "\n"))

      You can set each flag with its environment variable instead:

      \(Setting.list)

      mememe help --settings explains them.
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
    case .migrate, .check, .backup, .restore, .move, .newEpoch, .user, .import, .export, .templates:
      true
    case .serve, .healthcheck, .version, .help: false
    }
  }
}
