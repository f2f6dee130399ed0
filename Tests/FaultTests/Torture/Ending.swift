import Support

/// When and how the server of a round is killed.
enum Ending: Sendable {
  /// This long after the process was started: before, or just after, it is ready.
  case starting(milliseconds: Int)
  /// This long after the clients began.
  case serving(milliseconds: Int)
  /// This long after the signal to stop, while the clients go on.
  case stopping(after: Int, milliseconds: Int)
  #if os(Linux)
    /// During a call on a file, at the latest a second after the clients began.
    case atCall(FaultyMachine.Calls, FaultyMachine.Files, number: Int, fromStart: Bool)
  #endif

  init(_ random: inout SeededRandom) {
    func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }
    switch number(0..<10) {
    case 0: self = .starting(milliseconds: number(0..<400))
    case 1: self = .stopping(after: number(50..<300), milliseconds: number(0..<60))
    case 2...5: self = .serving(milliseconds: number(10..<600))
    default:
      #if os(Linux)
        self =
          switch number(0..<8) {
          // Creating the database, migrating it, and reading the log.
          case 0: .atCall(.changes, .all, number: number(0..<60), fromStart: true)
          // A checkpoint: copying pages and syncing them.
          case 1, 2: .atCall(.write, .database, number: number(0..<300), fromStart: false)
          case 3: .atCall([.sync, .truncate], .database, number: number(0..<2), fromStart: false)
          // A commit, or a restart of the log.
          case 4, 5: .atCall(.write, .wal, number: number(0..<600), fromStart: false)
          default: .atCall(.sync, .wal, number: number(0..<60), fromStart: false)
          }
      #else
        self = .serving(milliseconds: number(10..<600))
      #endif
    }
  }
}
