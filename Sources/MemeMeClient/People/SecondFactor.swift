public import Foundation

/// The second factor of an account: codes of an authenticator app.
public struct SecondFactor: Sendable, Hashable, Codable {
  public var enabledAt: Date
  /// The number of recovery codes that are left.
  public var recoveryCodes: Int
}

/// The secret of a second factor that is not on yet. The server does not show it again.
public struct NewSecondFactor: Sendable, Hashable, Decodable {
  /// The secret in Base32, for typing it into the app.
  public var secret: Token
  /// The same as a URL that starts with `otpauth:`, for a link or a QR code.
  public var otpauthUrl: Token
}
