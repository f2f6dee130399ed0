import Synchronization

/// The forms that a daemon has made of a response in order to send it. The daemon reuses them
/// when it sends the same response again.
///
/// The daemon takes a form out to send it and puts it back afterwards, so that no two requests use it
/// at once. Safe to use from any thread.
package final class ResponseForms: Sendable {
  /// More forms would only help while more requests use them at once.
  package static let maximumCount = 4

  private let idle = Mutex<[any ResponseForm]>([])

  /// A form that no other request uses, or `nil` if all are in use.
  package func take() -> (any ResponseForm)? {
    idle.withLock { $0.popLast() }
  }

  /// Returns a form that was taken, or adds a new one.
  package func put(_ form: any ResponseForm) {
    idle.withLock { if $0.count < Self.maximumCount { $0.append(form) } }
  }
}

/// A response in the form in which a daemon sends it.
package protocol ResponseForm: AnyObject, Sendable {}
