import Memes

/// What `mememe user` is told to do.
enum UserOrder {
  case create(Username, EmailAddress, Role)
  case list
  case give(Role, Username)
  case suspend(Username, SuspensionReason?)
  case unsuspend(Username)

  static let usage = """
    usage: mememe user create NAME --email ADDRESS [--admin]
           mememe user list
           mememe user role NAME admin|member
           mememe user suspend NAME [--reason TEXT]
           mememe user unsuspend NAME

    Beside a running server too, where it holds at once. --data or MEMEME_DATA names the data folder.
    The password of a new account is asked for twice, or is the first line of the input.
    """

  /// Why the words cannot be followed.
  struct Invalid: Error { let reason: String }

  /// Reads the order, and takes its words away: what is left are flags of settings.
  init(taking words: inout [String]) throws(Invalid) {
    let order = words.prefix { !$0.hasPrefix("--") }
    var flags = Array(words.dropFirst(order.count))
    switch (order.first, order.count) {
    case ("create", 2):
      let role = flags.take("--admin") ? Role.admin : .member
      guard let email = try Self.takeValue(of: "--email", from: &flags) else {
        throw Invalid(reason: "--email is needed")
      }
      self = .create(
        try Self.read(order[1], Username.init(wanted:)), try Self.read(email, EmailAddress.init),
        role)
    case ("list", 1): self = .list
    case ("role", 3):
      guard let role = Role(rawValue: order[2]) else {
        throw Invalid(reason: "\(order[2]): the roles are admin and member")
      }
      self = .give(role, try Self.read(order[1], Username.init(_:)))
    case ("suspend", 2):
      let reason = try Self.takeValue(of: "--reason", from: &flags)
      self = .suspend(
        try Self.read(order[1], Username.init(_:)),
        try reason.map { text throws(Invalid) in try Self.read(text, SuspensionReason.init) })
    case ("unsuspend", 2): self = .unsuspend(try Self.read(order[1], Username.init(_:)))
    default: throw Invalid(reason: "this is not one of the things that can be done with accounts")
    }
    words = flags
  }

  private static func read<Value>(
    _ text: String, _ parse: (String) throws(InvalidValue) -> Value
  ) throws(Invalid) -> Value {
    do throws(InvalidValue) { return try parse(text) } catch {
      throw Invalid(reason: "\(text): \(error.message)")
    }
  }

  /// `--email x` or `--email=x`.
  private static func takeValue(
    of flag: String, from flags: inout [String]
  ) throws(Invalid) -> String? {
    guard let index = flags.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = flags.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard flags.indices.contains(index) else {
      throw Invalid(reason: "\(flag): a value must follow")
    }
    return flags.remove(at: index)
  }
}
