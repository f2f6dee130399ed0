/// One of several words that a server chooses from, of which later ones may have more.
///
/// It is not an enumeration, so that an app that is older than the server goes on: a word that it does not know is kept as
/// it came, and written again as it came. A `switch` over it has a `default`.
public protocol OpenValue: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension OpenValue {
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }
}
