/// Memes to skip in this round, because the server cannot accept their changes now. Other memes are sent.
struct SkippedEntries {
  private(set) var memes: Set<Meme.ID> = []
  /// The error of the first skipped meme.
  private(set) var error: (any Error)?
  private var hadNoAnswer = false
  /// Whether uploads can be started: the server has not refused one because there are too many.
  private(set) var startsUploads = true

  /// - Throws: `error` if other entries would fail as well.
  mutating func skip(_ meme: Meme.ID, _ error: MemeMeError) throws {
    switch error {
    case .connection, .timeout:
      // The entry itself may be the cause, such as a picture that an intermediary blocks.
      if hadNoAnswer { throw error }
      hadNoAnswer = true
    case .problem(let problem):
      // Too many unfinished uploads only hold up memes whose large pictures need another upload.
      let isBusy =
        [429, 503, 507].contains(problem.status)
        && ![.renderTimeout, .quotaExceeded, .tooManyUploads].contains(problem.code)
      if isBusy || problem.isAboutCaller { throw error }
      if problem.code == .tooManyUploads { startsUploads = false }
    case .unreadableFile: throw error
    case .unexpectedAnswer, .answerTooLarge: break
    }
    memes.insert(meme)
    self.error = self.error ?? error
  }

  mutating func succeeded() { hadNoAnswer = false }
}

extension Problem {
  /// Whether the server refuses all changes of this account or access token, whatever they are.
  var isAboutCaller: Bool { code == .suspended || code == .insufficientScope }
}
