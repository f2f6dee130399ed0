import Synchronization

/// What a daemon has made of a response in order to send it, kept for the next time that the same response is sent.
///
/// A form is taken out to be sent and put back afterwards, so that nobody else has it meanwhile. Safe to use from any
/// thread.
package final class ResponseForms: Sendable {
  /// More would only be of use while so many are on their way at once.
  package static let maximumCount = 4

  private let idle = Mutex<[any ResponseForm]>([])

  /// A form that nobody else has; `nil` where all are on their way.
  package func take() -> (any ResponseForm)? {
    idle.withLock { $0.popLast() }
  }

  /// Gives back what was taken, or adds one.
  package func put(_ form: any ResponseForm) {
    idle.withLock { if $0.count < Self.maximumCount { $0.append(form) } }
  }
}

/// A response as some daemon sends it.
package protocol ResponseForm: AnyObject, Sendable {}
