import Memes

/// The requester of a job, and the limit that it is charged to.
struct JobAccount: Sendable {
  let requester: Requester?
  private let throttle: Throttle?
  /// Whether others go first.
  let isPatient: Bool

  /// - Parameters:
  ///   - requester: `nil`: the server itself, which is charged nothing.
  ///   - throttle: `nil`: nothing is charged.
  init(_ requester: Requester? = nil, _ throttle: Throttle? = nil, isPatient: Bool = false) {
    (self.requester, self.throttle, self.isPatient) = (requester, throttle, isPatient)
  }

  private var payer: (Throttle, Caller)? {
    guard let throttle, let requester, requester.pays else { return nil }
    return (throttle, requester.caller)
  }

  /// - Throws: ``MemeError/throttled(_:)`` if nothing is left.
  func check() throws(MemeError) {
    guard let (throttle, caller) = payer else { return }
    try throttle.check(.render, for: caller)
  }

  /// - Parameter cost: of a ``JobNeed``.
  /// - Throws: ``MemeError/throttled(_:)`` if nothing was left.
  func charge(_ cost: Int) throws(MemeError) {
    guard let (throttle, caller) = payer else { return }
    try throttle.take(.render, Double(cost) / 1_000_000, for: caller)
  }

  /// Charges a cost that has arisen already.
  func owe(_ cost: Int) {
    guard let (throttle, caller) = payer else { return }
    throttle.owe(.render, Double(cost) / 1_000_000, by: caller)
  }
}
