import Foundation
import Memes

/// Why a process that draws cannot be had, or is no more.
package enum HelperFailure: Error, CustomStringConvertible {
  /// A call of the system failed with this `errno`.
  case system(String, Int32)
  /// It ended; by this signal, unless that is 0.
  case ended(signal: Int32)
  /// It was not ready in time.
  case notReady
  /// It was ended because the system lets it do more than it may.
  case unconfined
  /// It was ended because its job took too long.
  case late
  /// It was ended because its job went on after the client had left.
  case unwanted
  /// It was ended because of what it answered.
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
