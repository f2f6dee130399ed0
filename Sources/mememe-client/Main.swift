import Arguments
import Foundation
import MemeMeClient

/// The command `mememe-client`: a user's memes on the command line, with or without a network.
@main
struct Main {
  static func main() async {
    // Only the owner of the files may access them.
    umask(0o077)
    // If the reader of the output exits, the write fails instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    end(await code())
  }

  private static func code() async -> Int32 {
    do {
      guard let order = try ParsedCommand(Array(CommandLine.arguments.dropFirst())) else {
        print(ParsedCommand.usage)
        return 0
      }
      try await CommandRunner(order.options, for: order.errand).follow(order.errand)
      return 0
    } catch let error as UsageError {
      Terminal.tell("mememe-client: \(error.reason)\n\(error.help)")
      return ExitCode.usage.rawValue
    } catch {
      Terminal.tell("mememe-client: \(ExitCode.reason(of: error))")
      return ExitCode(error).rawValue
    }
  }

  /// Exits without running exit handlers: a transfer that is being cancelled may still use libraries on its thread.
  private static func end(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }
}
