/// The client that a rate limit counts a call for.
package enum Caller: Hashable, Sendable {
  /// A signed-in user, on any network.
  case person(UserID)
  /// All anonymous clients of a network.
  case network(ClientNetwork)
  /// All clients of a network that try passwords of this account.
  case guesser(of: ClaimedLogin, from: ClientNetwork)
  /// The recipient of mails at this lowercase address, regardless of the sender.
  case mailbox(String)

  /// All callers of the same site, for limits that count sites; `nil` if there is no site.
  var site: Caller? {
    switch self {
    case .network(let network): network.site.map { .network(ClientNetwork($0)) }
    case .guesser(let account, let network):
      network.site.map { .guesser(of: account, from: ClientNetwork($0)) }
    case .person, .mailbox: nil
    }
  }
}

/// The network of a client: an IPv4 address, or the 64-bit prefix of an IPv6 address. A client with one address of such
/// a prefix has all of them.
package struct ClientNetwork: Hashable, Sendable {
  package let text: String
  /// The larger network that a provider may assign to a single customer, and that this network belongs to. `nil` if
  /// providers do not assign such networks, as with IPv4.
  package let site: String?

  package init(_ text: String, site: String? = nil) { (self.text, self.site) = (text, site) }
}

/// The account whose password is tried, as the client names it. The account need not exist.
package enum ClaimedLogin: Hashable, Sendable {
  /// In lowercase.
  case named(String)
  /// The account of a signed-in user.
  case person(UserID)

  package init(_ login: Login) {
    self =
      switch login {
      case .username(let username): .named(username.text)
      case .email(let email): .named(email.text.lowercased())
      }
  }
}
