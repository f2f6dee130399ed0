import Foundation

/// A problem that the server reported (RFC 9457).
public struct Problem: Sendable, Hashable {
  /// The status of the response.
  public let status: Int
  /// The kind of problem, for programs. Codes are stable.
  public let code: Code
  /// The kind of problem, for users.
  public let title: String
  /// An explanation of this occurrence, for users.
  public let detail: String
  /// The ID of the request, which identifies it in the server log.
  public let requestID: String
  /// Every invalid field; empty if the problem is not about fields.
  public let fields: [FieldError]
  /// How long to wait before another attempt, if the server specifies it.
  public let retryAfter: Duration?
  /// The current meme, if an edit or a deletion was meant for another version (status 412).
  public let current: Meme?
}

/// The problem with one field.
public struct FieldError: Sendable, Hashable, Codable {
  /// The name of the field in the request, such as `top` or `captions[0].x`.
  public let field: String
  public let code: String
  /// A message for users.
  public let message: String
}

extension Problem {
  /// A kind of problem.
  public struct Code: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let malformedRequest: Self = "malformed-request"
    public static let invalidCursor: Self = "invalid-cursor"
    public static let invalidIdempotencyKey: Self = "invalid-idempotency-key"
    public static let unauthorized: Self = "unauthorized"
    public static let wrongCredentials: Self = "wrong-credentials"
    public static let codeRequired: Self = "code-required"
    public static let invalidCode: Self = "invalid-code"
    public static let forbidden: Self = "forbidden"
    public static let insufficientScope: Self = "insufficient-scope"
    public static let crossSite: Self = "cross-site"
    public static let suspended: Self = "suspended"
    public static let registrationClosed: Self = "registration-closed"
    public static let notFound: Self = "not-found"
    public static let methodNotAllowed: Self = "method-not-allowed"
    public static let notAcceptable: Self = "not-acceptable"
    public static let requestTimeout: Self = "request-timeout"
    public static let idTaken: Self = "id-taken"
    public static let invalidReset: Self = "invalid-reset"
    public static let alreadyClaimed: Self = "already-claimed"
    public static let invalidConfirmation: Self = "invalid-confirmation"
    public static let emailUnconfirmed: Self = "email-unconfirmed"
    public static let shareMailOff: Self = "share-mail-off"
    public static let connectionsOff: Self = "connections-off"
    public static let usernameTaken: Self = "username-taken"
    public static let renamedRecently: Self = "renamed-recently"
    public static let emailTaken: Self = "email-taken"
    public static let aliasTaken: Self = "alias-taken"
    public static let tooManyInvitations: Self = "too-many-invitations"
    public static let tooManyTokens: Self = "too-many-tokens"
    public static let tooManyConnections: Self = "too-many-connections"
    public static let tooManyMappings: Self = "too-many-mappings"
    public static let connectionStopped: Self = "connection-stopped"
    public static let nothingToReload: Self = "nothing-to-reload"
    public static let secondFactorOn: Self = "second-factor-on"
    public static let signInExpired: Self = "sign-in-expired"
    public static let providerRefused: Self = "provider-refused"
    public static let signInToLink: Self = "sign-in-to-link"
    public static let identityLinked: Self = "identity-linked"
    public static let lastWayToSignIn: Self = "last-way-to-sign-in"
    public static let providerEmailMissing: Self = "provider-email-missing"
    public static let providerFailed: Self = "provider-failed"
    public static let idempotencyKeyInUse: Self = "idempotency-key-in-use"
    public static let exportRunning: Self = "export-running"
    public static let backupRunning: Self = "backup-running"
    public static let gone: Self = "gone"
    public static let cursorExpired: Self = "cursor-expired"
    public static let offsetMismatch: Self = "offset-mismatch"
    public static let unsupportedTusVersion: Self = "unsupported-tus-version"
    public static let uploadBusy: Self = "upload-busy"
    public static let preconditionFailed: Self = "precondition-failed"
    public static let contentTooLarge: Self = "content-too-large"
    public static let uriTooLong: Self = "uri-too-long"
    public static let unsupportedMediaType: Self = "unsupported-media-type"
    public static let unsupportedPicture: Self = "unsupported-picture"
    public static let rangeNotSatisfiable: Self = "range-not-satisfiable"
    public static let expectationFailed: Self = "expectation-failed"
    public static let invalidInput: Self = "invalid-input"
    public static let invitationInvalid: Self = "invitation-invalid"
    public static let idempotencyKeyReused: Self = "idempotency-key-reused"
    public static let tooManyRequests: Self = "too-many-requests"
    public static let tooManyUploads: Self = "too-many-uploads"
    public static let headerTooLarge: Self = "header-too-large"
    public static let internalError: Self = "internal-error"
    public static let secondFactorUnreadable: Self = "second-factor-unreadable"
    public static let notImplemented: Self = "not-implemented"
    public static let unsupportedFormat: Self = "unsupported-format"
    public static let notHere: Self = "not-here"
    public static let overloaded: Self = "overloaded"
    public static let renderTimeout: Self = "render-timeout"
    public static let notReady: Self = "not-ready"
    public static let mailUnavailable: Self = "mail-unavailable"
    public static let storageBusy: Self = "storage-busy"
    public static let storageFull: Self = "storage-full"
    public static let quotaExceeded: Self = "quota-exceeded"
  }
}
