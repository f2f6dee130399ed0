/// A string value from a set that later servers may extend.
///
/// It is not an enumeration, so that an app also works with a newer server: an unknown value is kept and encoded
/// unchanged. A `switch` over it needs a `default` case.
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
