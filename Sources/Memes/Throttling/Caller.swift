/// Whose calls are counted together.
package enum Caller: Hashable, Sendable {
  /// Somebody who is signed in, wherever they are.
  case person(UserID)
  /// Whoever asks from there and is not signed in.
  case network(ClientNetwork)
  /// Whoever tries passwords of an account from there.
  case guesser(of: GuessedAccount, from: ClientNetwork)
  /// Whoever reads what is mailed to this address, in small letters, whoever caused it.
  case mailbox(String)

  /// All who call from the same site, for what they do in common; `nil` where it is not known to be a part of one.
  var site: Caller? {
    switch self {
    case .network(let network): network.site.map { .network(ClientNetwork($0)) }
    case .guesser(let account, let network):
      network.site.map { .guesser(of: account, from: ClientNetwork($0)) }
    case .person, .mailbox: nil
    }
  }
}

/// Where a client asks from, as far as clients can be told apart: an IPv4 address, or the 64 bits of an IPv6 address that
/// stand for a network. Whoever has one address of such a network has them all.
package struct ClientNetwork: Hashable, Sendable {
  package let text: String
  /// What the network is a part of that one customer of a provider may have as a whole; `nil` where networks are not given out
  /// by the thousand.
  package let site: String?

  package init(_ text: String, site: String? = nil) { (self.text, self.site) = (text, site) }
}

/// The account that somebody tries passwords of, as they name it: whether there is one does not matter.
package enum GuessedAccount: Hashable, Sendable {
  /// In small letters.
  case named(String)
  /// That of somebody who is signed in.
  case person(UserID)

  package init(_ login: Login) {
    self =
      switch login {
      case .username(let username): .named(username.text)
      case .email(let email): .named(email.text.lowercased())
      }
  }
}
