import Foundation
import MemeMeClient

/// The command `mememe-client`: somebody's memes on the command line, with or without a network.
@main
struct Main {
  static func main() async {
    // What is kept is for its own user alone.
    umask(0o077)
    // A reader that went away is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    end(await code())
  }

  private static func code() async -> Int32 {
    do {
      guard let order = try Order(Array(CommandLine.arguments.dropFirst())) else {
        print(Order.usage)
        return 0
      }
      try await Desk(order.options).follow(order.errand)
      return 0
    } catch let error as Order.Invalid {
      Terminal.tell("mememe-client: \(error.reason)\nTry: mememe-client --help")
      return ExitCode.usage.rawValue
    } catch {
      Terminal.tell("mememe-client: \(ExitCode.reason(of: error))")
      return ExitCode(error).rawValue
    }
  }

  /// Ends without what libraries do at the end: a transfer that is being given up may use them yet, on its own thread.
  private static func end(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }
}
