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
      // What is not taken of them are settings.
      let environment = ProcessInfo.processInfo.environment
      switch command {
      case .user:
        let order = try UserOrder(taking: &flags)
        exit(await UserCommand(order, try Settings(environment: environment, flags: flags)).run())
      case .import:
        let order = try ImportOrder(taking: &flags)
        exit(await ImportCommand(order, try Settings(environment: environment, flags: flags)).run())
      case .export:
        let order = try ExportOrder(taking: &flags)
        exit(await ExportCommand(order, try Settings(environment: environment, flags: flags)).run())
      default: try await run(command, Settings(environment: environment, flags: flags))
      }
    } catch let error as SettingError {
      fail(usage: error.description)
    } catch let error as InvalidOrder {
      fail(usage: error.reason, help: error.usage)
    } catch {
      write("mememe: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }

  private static func run(_ command: Command, _ settings: Settings) async throws {
    switch command {
    case .serve:
      try await serve(settings)
    case .migrate:
      let version = try await Server.migrate(settings)
      print("The database in \(settings.dataFolder) is at version \(version).")
    case .check:
      exit(await CheckCommand(settings).run())
    case .backup:
      exit(await BackupCommand(settings).run())
    case .user, .import, .export: break
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
