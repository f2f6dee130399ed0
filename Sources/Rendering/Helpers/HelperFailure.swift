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
    case .ended(0): "the rendering process exited"
    case .ended(let signal): "the rendering process was killed by signal \(signal)"
    case .notReady: "the rendering process did not start in time"
    case .unconfined: "cannot confine the rendering process: seccomp is not available"
    case .late: "the rendering process timed out"
    case .unwanted: "the rendering process kept running after its client disconnected"
    case .broken: "the rendering process sent an invalid response"
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
