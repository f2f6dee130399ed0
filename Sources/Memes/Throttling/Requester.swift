/// The caller of the current request. It is a task-local value, so that the renderer can use it without a parameter in
/// every call in between.
package struct Requester: Sendable, Hashable {
  package let caller: Caller
  /// Whether rendering counts for the rate limit.
  package let pays: Bool

  /// Whether the request comes from this machine: from a local client, or from any client behind an
  /// untrusted local proxy.
  package let isLocal: Bool

  package init(_ caller: Caller, pays: Bool, isLocal: Bool = false) {
    (self.caller, self.pays, self.isLocal) = (caller, pays, isLocal)
  }

  /// `nil` for work of the server itself.
  @TaskLocal package static var current: Requester?
}

extension Requester {
  /// The key for fair scheduling. All networks of a site share one.
  package var turn: Caller { caller.site ?? caller }

  /// The scheduling key as text, for components that do not know callers.
  package var turnText: String {
    switch turn {
    case .person(let id): "person \(id)"
    case .network(let network): "network \(network.text)"
    case .guesser(_, let network): "network \(network.text)"
    case .mailbox(let address): "mailbox \(address)"
    }
  }

  /// Whether the caller is not signed in.
  package var isAnonymous: Bool { if case .person = caller { false } else { true } }
}
