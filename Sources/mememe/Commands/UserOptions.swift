import Arguments
import Memes

/// The arguments of `mememe user`.
enum UserOptions {
  case create(Username, EmailAddress, Role)
  case list
  case give(Role, Username)
  case suspend(Username, SuspensionReason?)
  case unsuspend(Username)
  case turnOffSecondFactor(Username)

  static let usage = """
    usage: mememe user create NAME --email ADDRESS [--admin]
           mememe user list
           mememe user role NAME admin|member
           mememe user suspend NAME [--reason TEXT]
           mememe user unsuspend NAME
           mememe user second-factor NAME off

    The server may be running; changes take effect immediately. Set the data folder with --data or MEMEME_DATA.
    create prompts for the password, or reads it from the first line of standard input.
    """

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var flags = ArgumentParser(words, help: Self.usage)
    let order = flags.takeLeading()
    switch (order.first, order.count) {
    case ("create", 2):
      let role = flags.take("--admin") ? Role.admin : .member
      guard let email = try flags.takeValue(of: "--email") else {
        throw UsageError(Self.usage, "--email is required")
      }
      self = .create(
        try Self.read(order[1], Username.init(wanted:)), try Self.read(email, EmailAddress.init),
        role)
    case ("list", 1): self = .list
    case ("role", 3):
      guard let role = Role(rawValue: order[2]) else {
        throw UsageError(Self.usage, "\(order[2]): the role must be admin or member")
      }
      self = .give(role, try Self.read(order[1], Username.init(_:)))
    case ("suspend", 2):
      var reason: SuspensionReason?
      if let text = try flags.takeValue(of: "--reason") {
        reason = try Self.read(text, SuspensionReason.init)
      }
      self = .suspend(try Self.read(order[1], Username.init(_:)), reason)
    case ("unsuspend", 2): self = .unsuspend(try Self.read(order[1], Username.init(_:)))
    case ("second-factor", 3):
      guard order[2] == "off" else {
        throw UsageError(
          Self.usage, "\(order[2]): only off is possible; users turn it on themselves")
      }
      self = .turnOffSecondFactor(try Self.read(order[1], Username.init(_:)))
    default:
      throw UsageError(Self.usage, "unknown subcommand")
    }
    words = flags.rest
  }

  private static func read<Value>(
    _ text: String, _ parse: (String) throws(InvalidValue) -> Value
  ) throws(UsageError) -> Value {
    do throws(InvalidValue) { return try parse(text) } catch {
      throw UsageError(Self.usage, "\(text): \(error.message)")
    }
  }
}
