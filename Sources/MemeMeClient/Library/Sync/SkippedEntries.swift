/// Memes that are not sent in this round, since the server could not take what waits of them now. Others are.
struct SkippedEntries {
  private(set) var memes: Set<Meme.ID> = []
  /// Why the first of them was skipped.
  private(set) var error: (any Error)?
  private var hadNoAnswer = false

  /// - Throws: `error` where no other would fare better.
  mutating func skip(_ meme: Meme.ID, _ error: MemeMeError) throws {
    switch error {
    case .connection, .timeout:
      // It may be about this one, such as a picture that something in between does not let through.
      if hadNoAnswer { throw error }
      hadNoAnswer = true
    case .problem(let problem):
      let isBusy =
        [429, 503, 507].contains(problem.status)
        && ![.renderTimeout, .quotaExceeded].contains(problem.code)
      if isBusy || problem.code == .suspended { throw error }
    case .unreadableFile: throw error
    case .unexpectedAnswer, .answerTooLarge: break
    }
    memes.insert(meme)
    self.error = self.error ?? error
  }

  mutating func succeeded() { hadNoAnswer = false }
}
