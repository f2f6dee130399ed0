/// The caller on whose behalf the current task works. It is bound to the task of each request, so that the renderer knows it without a
/// parameter in every call between.
package struct Requester: Sendable, Hashable {
  package let caller: Caller
  /// Whether drawing is charged.
  package let pays: Bool

  /// Whether the caller is a client on this machine, or many behind a proxy on it that is not named.
  package let isLocal: Bool

  package init(_ caller: Caller, pays: Bool, isLocal: Bool = false) {
    (self.caller, self.pays, self.isLocal) = (caller, pays, isLocal)
  }

  /// `nil` for the work of the server itself.
  @TaskLocal package static var current: Requester?
}

extension Requester {
  /// All networks of a site have one turn.
  package var turn: Caller { caller.site ?? caller }

  /// The turn as text, for rooms that do not know callers.
  package var turnText: String {
    switch turn {
    case .person(let id): "person \(id)"
    case .network(let network): "network \(network.text)"
    case .guesser(_, let network): "network \(network.text)"
    case .mailbox(let address): "mailbox \(address)"
    }
  }

  /// Whether the caller has no account.
  package var isAnonymous: Bool { if case .person = caller { false } else { true } }
}
