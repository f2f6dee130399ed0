import Arguments
import DrawingHelper
import Foundation
import Memes
import PostgreSQL
import Rendering

/// The `mememe` executable.
@main
struct Main {
  static func main() async {
    if CommandLine.arguments.first == HelperProgram.name {
      DrawingHelper.run(CommandLine.arguments)
    }
    StandardFiles.open()
    // A connection that was closed, or a reader of messages that has ended, is an error of the write, and must not end
    // the process.
    signal(SIGPIPE, SIG_IGN)
    // Files that the process creates are accessible only to its user.
    umask(0o077)
    let arguments = CommandLine.arguments.dropFirst()
    guard let word = arguments.first else { fail(usage: "no command given") }
    guard let command = Command(word) else { fail(usage: "unknown command: \(word)") }
    do {
      var words = Array(arguments.dropFirst())
      if let topic = try command.topic(of: words) { exit(say(topic.helpText)) }
      let work = try work(for: command, taking: &words)
      // The remaining words are flags of settings.
      let settings = try Settings(
        environment: ProcessInfo.processInfo.environment, flags: words)
      if command.usesDataFolder { try FolderOwner.become(of: settings.dataFolder) }
      exit(try await work(settings))
    } catch let error as SettingError {
      fail(usage: error.description)
    } catch let error as UsageError {
      fail(usage: error.reason, help: error.help)
    } catch {
      write("mememe: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }

  /// Returns a closure that runs the command and returns the exit code.
  ///
  /// - Parameter words: the arguments. The command's own arguments are removed; the flags of settings stay.
  private static func work(
    for command: Command, taking words: inout [String]
  ) throws -> (Settings) async throws -> Int32 {
    switch command {
    case .serve: return serve
    case .migrate:
      let makesPoint = !ArgumentParser.take("--no-restore-point", from: &words)
      return { try await MigrateCommand($0, makesRestorePoint: makesPoint).run() }
    case .check:
      let repairs = ArgumentParser.take("--repair", from: &words)
      let decodes = ArgumentParser.take("--decode", from: &words)
      return { await CheckCommand($0, repairs: repairs, decodes: decodes).run() }
    case .backup: return { await BackupCommand($0).run() }
    case .restore:
      let order = try RestoreOptions(taking: &words)
      return { await RestoreCommand(order, $0).run() }
    case .move:
      let order = try MoveOptions(taking: &words)
      return { try await MoveCommand(order, $0).run() }
    case .newEpoch: return { await NewEpochCommand($0).run() }
    case .user:
      let order = try UserOptions(taking: &words)
      return { await UserCommand(order, $0).run() }
    case .import:
      let order = try ImportOptions(taking: &words)
      return { await ImportCommand(order, $0).run() }
    case .export:
      let order = try ExportOptions(taking: &words)
      return { await ExportCommand(order, $0).run() }
    case .templates:
      let order = try TemplatesOptions(taking: &words)
      return { await TemplatesCommand(order, $0).run() }
    case .healthcheck: return { HealthCheck($0).passes() ? 0 : 1 }
    case .version: return { _ in say(Version.report) }
    case .help:
      guard ArgumentParser.take("--settings", from: &words) else {
        return { _ in say(Command.usage) }
      }
      let isMarkdown = ArgumentParser.take("--markdown", from: &words)
      return { _ in
        // `print` ends the text with a line feed of its own.
        say(isMarkdown ? String(Setting.markdown.dropLast()) : Setting.help)
      }
    }
  }

  private static func say(_ text: String) -> Int32 {
    print(text)
    return 0
  }

  private static func serve(_ settings: Settings) async throws -> Int32 {
    try settings.checkServing()
    OpenFiles.raiseLimit(connections: settings.maxConnections)
    let stop = Termination()
    let log = Log(level: settings.logLevel, format: settings.logFormat)
    defer { log.flush() }
    let ignored = IgnoredSignals(log)
    var options = StartOptions()
    options.drawing = .helpers(.own)
    options.stop = stop.stop
    let server = try await Server.start(settings, log: log, options: options)
    var facts: [(name: StaticString, value: Log.Value)] = [
      ("version", .text(Version.current)), ("url", .text(server.url)),
      ("data", .text(settings.dataFolder)),
    ]
    if let database = settings.database {
      facts.append(("database", .text(database.description)))
    }
    if let url = server.metricsURL { facts.append(("metrics", .text(url))) }
    log.write(.info, "MemeMe is ready", facts)
    do {
      if let link = try await server.setupLink() {
        log.write(
          .info, "no admin exists: this link creates one, once and within 24 hours",
          [("url", .text(link))])
      }
    } catch {
      log.write(
        .warning, "cannot make a link for the first admin", [("error", .text(error.reason))])
    }
    let signal = await stop.signal()
    log.write(.info, "stopping", signal.map { [("signal", .text($0))] } ?? [])
    await server.stop()
    log.write(.info, "stopped")
    // Until here, a second signal ends the process at once.
    withExtendedLifetime((stop, ignored)) {}
    return signal == nil ? 1 : 0
  }

  private static func fail(usage reason: String, help: String = "Try: mememe help") -> Never {
    write("mememe: \(reason)\n\(help)\n", to: STDERR_FILENO)
    exit(2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    FileHandle(fileDescriptor: descriptor).put(text)
  }
}
