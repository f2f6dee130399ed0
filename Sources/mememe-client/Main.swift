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
    do {
      guard let order = try Order(Array(CommandLine.arguments.dropFirst())) else {
        print(Order.usage)
        return
      }
      try await Desk(order.options).follow(order.errand)
    } catch let error as Order.Invalid {
      Terminal.tell("mememe-client: \(error.reason)\nTry: mememe-client --help")
      exit(ExitCode.usage.rawValue)
    } catch {
      Terminal.tell("mememe-client: \(ExitCode.reason(of: error))")
      exit(ExitCode(error).rawValue)
    }
  }
}
