import MemeMeClient

/// The exit code of the process.
enum ExitCode: Int32 {
  case failed = 1
  case usage = 2
  /// A temporary failure. Unsent changes are kept.
  case notNow = 3
  case signInNeeded = 4
  case inUse = 5

  init(_ error: any Error) {
    switch error {
    case LibraryError.signInNeeded: self = .signInNeeded
    case LibraryError.inUse: self = .inUse
    case MemeMeError.problem(let problem) where problem.code == .suspended: self = .failed
    case MemeMeError.problem(let problem):
      let isPassing = problem.status >= 500 || [408, 409, 429].contains(problem.status)
      self = isPassing ? .notNow : .failed
    case is MemeMeError: self = .notNow
    default: self = .failed
    }
  }

  /// The error message for the user.
  static func reason(of error: any Error) -> String {
    switch error {
    case LibraryError.signInNeeded: "not signed in; run mememe-client login"
    case let error as LibraryError: error.description
    case MemeMeError.problem(let problem):
      ([problem.detail] + problem.fields.map { "\($0.field): \($0.message)" })
        .joined(separator: "\n  ")
    case let error as MemeMeError: error.description
    case let error as Failure: error.reason
    default: "\(error)"
    }
  }
}

/// A failure with a message for the user.
struct Failure: Error {
  let reason: String
}
