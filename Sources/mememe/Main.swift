import Foundation

/// The command `mememe`.
@main
struct Main {
  static func main() async {
    // What is kept is for its own user alone.
    umask(0o077)
    let arguments = CommandLine.arguments.dropFirst()
    guard let word = arguments.first else { fail(usage: "no command was given") }
    guard let command = Command(rawValue: word) else { fail(usage: "there is no command \(word)") }
    do {
      var flags = Array(arguments.dropFirst())
      let restoring = command == .restore ? try RestoreOrder(taking: &flags) : nil
      let order = command == .user ? try UserOrder(taking: &flags) : nil
      let keepsPoint = command != .migrate || !flags.take("--no-restore-point")
      let repairs = command == .check && flags.take("--repair")
      let settings = try Settings(
        environment: ProcessInfo.processInfo.environment, flags: flags)
      if let restoring { exit(await RestoreCommand(restoring, settings).run()) }
      if let order { exit(await UserCommand(order, settings).run()) }
      if command == .migrate {
        return try await MigrateCommand(settings, makesRestorePoint: keepsPoint).run()
      }
      if command == .check { exit(await CheckCommand(settings, repairs: repairs).run()) }
      try await run(command, settings)
    } catch let error as SettingError {
      fail(usage: error.description)
    } catch let error as RestoreOrder.Invalid {
      fail(usage: error.reason, help: RestoreCommand.usage)
    } catch let error as UserOrder.Invalid {
      fail(usage: error.reason, help: UserOrder.usage)
    } catch {
      write("mememe: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }

  private static func run(_ command: Command, _ settings: Settings) async throws {
    switch command {
    case .serve:
      try await serve(settings)
    case .migrate, .check, .restore, .user: break
    case .healthcheck:
      guard HealthCheck(settings).passes() else { exit(1) }
    case .version:
      print(Version.report)
    case .help:
      print(Command.usage)
    }
  }

  private static func serve(_ settings: Settings) async throws {
    OpenFiles.raiseLimit(connections: settings.maxConnections)
    let stop = Termination()
    let log = Log(level: settings.logLevel, format: settings.logFormat)
    defer { log.flush() }
    let server = try await Server.start(settings, log: log)
    var facts: [(name: StaticString, value: Log.Value)] = [
      ("version", .text(Version.current)), ("url", .text(server.url)),
      ("data", .text(settings.dataFolder)),
    ]
    if let url = server.metricsURL { facts.append(("metrics", .text(url))) }
    log.write(.info, "MemeMe is ready", facts)
    let signal = await stop.signal()
    log.write(.info, "stopping", [("signal", .text(signal))])
    await server.stop()
    log.write(.info, "stopped")
    // Until here a second signal still counts.
    withExtendedLifetime(stop) {}
  }

  private static func fail(usage reason: String, help: String = "Try: mememe help") -> Never {
    write("mememe: \(reason)\n\(help)\n", to: STDERR_FILENO)
    exit(2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    FileHandle(fileDescriptor: descriptor).write(Data(text.utf8))
  }
}
