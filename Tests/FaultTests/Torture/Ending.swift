import Support

/// When, and how, a round's server is killed.
enum Ending: Sendable {
  /// So long after the process was started: before, or just after, it is ready.
  case starting(milliseconds: Int)
  /// So long after the clients began.
  case serving(milliseconds: Int)
  /// So long after it was told to stop, while the clients go on.
  case stopping(after: Int, milliseconds: Int)
  #if os(Linux)
    /// In the middle of a call on a file, at the latest a second after the clients began.
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
          // Making the database, migrating it, reading the log back.
          case 0: .atCall(.changes, .all, number: number(0..<60), fromStart: true)
          // A checkpoint: copying pages, and making them last.
          case 1, 2: .atCall(.write, .database, number: number(0..<300), fromStart: false)
          case 3: .atCall([.sync, .truncate], .database, number: number(0..<2), fromStart: false)
          // A commit, or the log's beginning anew.
          case 4, 5: .atCall(.write, .wal, number: number(0..<600), fromStart: false)
          default: .atCall(.sync, .wal, number: number(0..<60), fromStart: false)
          }
      #else
        self = .serving(milliseconds: number(10..<600))
      #endif
    }
  }
}
