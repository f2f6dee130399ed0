import Foundation
import Memes

/// An error of a helper process.
package enum HelperFailure: Error, CustomStringConvertible {
  /// A system call failed with this `errno`.
  case system(String, Int32)
  /// The process ended, by this signal if it is not 0.
  case ended(signal: Int32)
  /// The process was not ready in time.
  case notReady
  /// The process was ended because it is not confined as required.
  case unconfined
  /// The process was ended because its job took too long.
  case late
  /// The process was ended because its job continued after the client had disconnected.
  case unwanted
  /// The process was ended because it sent an invalid answer.
  case broken

  package var description: String {
    switch self {
    case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
    case .ended(0): "the process that draws has ended"
    case .ended(let signal): "the process that draws was ended by signal \(signal)"
    case .notReady: "the process that draws did not start in time"
    case .unconfined: "the process that draws cannot be confined: there is no seccomp"
    case .late: "the process that draws took too long"
    case .unwanted: "the process that draws went on after its client had left"
    case .broken: "the process that draws answered what is no answer"
    }
  }
}

extension MemeError {
  init(_ failure: HelperFailure) {
    self =
      switch failure {
      case .late: .renderTimeout
      case .notReady: .overloaded()
      case .unwanted: .rendering(CancellationError())
      case .system(_, ENOSPC), .system(_, ENOMEM), .system(_, EMFILE), .system(_, ENFILE),
        .system(_, EAGAIN):
        .renderingStarved(failure)
      case .system, .ended, .broken, .unconfined: .rendering(failure)
      }
  }
}
