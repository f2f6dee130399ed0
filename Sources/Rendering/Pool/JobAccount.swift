import Memes

/// The requester of a job, and the limit that the job is charged to.
struct JobAccount: Sendable {
  let requester: Requester?
  private let throttle: Throttle?
  /// Whether jobs that are not patient go first.
  let isPatient: Bool

  /// - Parameters:
  ///   - requester: `nil` for the server itself, which is not charged.
  ///   - throttle: `nil` to charge nothing.
  init(_ requester: Requester? = nil, _ throttle: Throttle? = nil, isPatient: Bool = false) {
    (self.requester, self.throttle, self.isPatient) = (requester, throttle, isPatient)
  }

  private var payer: (Throttle, Caller)? {
    guard let throttle, let requester, requester.pays else { return nil }
    return (throttle, requester.caller)
  }

  /// - Throws: ``MemeError/throttled(_:)`` if the requester has nothing left to spend.
  func check() throws {
    guard let (throttle, caller) = payer else { return }
    try throttle.check(.render, for: caller)
  }

  /// - Parameter cost: the cost of a ``JobRequirements``.
  /// - Throws: ``MemeError/throttled(_:)`` if the requester had nothing left to spend.
  func charge(_ cost: Int) throws {
    guard let (throttle, caller) = payer else { return }
    try throttle.take(.render, Double(cost) / 1_000_000, for: caller)
  }

  /// Charges a cost that has already been incurred.
  func owe(_ cost: Int) {
    guard let (throttle, caller) = payer else { return }
    throttle.owe(.render, Double(cost) / 1_000_000, by: caller)
  }
}
