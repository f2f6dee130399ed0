package import HTTP

/// The problems of the API. A new problem needs an entry here and in ``all``, its code in `ProblemCode` of the
/// contract, and a line in `Problem.init(_: any Error)` if a domain error causes it.
extension ProblemKind {
  /// All kinds that a client can receive, ordered by status.
  package static let all: [ProblemKind] = [
    .malformedRequest, .invalidCursor, .invalidIdempotencyKey, .signInExpired, .unauthorized,
    .wrongCredentials,
    .codeRequired, .invalidCode, .forbidden, .insufficientScope, .crossSite, .suspended,
    .providerRefused, .registrationClosed, .emailUnconfirmed, .shareMailOff, .connectionsOff,
    .notFound,
    .invalidReset,
    .invalidConfirmation,
    .methodNotAllowed, .notAcceptable, .requestTimeout, .idTaken, .alreadyClaimed, .usernameTaken,
    .renamedRecently, .emailTaken, .aliasTaken, .tooManyInvitations, .tooManyTokens,
    .secondFactorOn,
    .tooManyConnections, .tooManyMappings, .connectionStopped, .nothingToReload,
    .signInToLink, .identityLinked, .lastWayToSignIn, .idempotencyKeyInUse,
    .exportRunning,
    .backupRunning,
    .offsetMismatch, .uploadBusy, .gone, .cursorExpired, .preconditionFailed,
    .unsupportedTusVersion, .contentTooLarge, .uriTooLong, .unsupportedMediaType,
    .unsupportedPicture, .expectationFailed, .rangeNotSatisfiable, .invalidInput,
    .invitationInvalid, .providerEmailMissing, .idempotencyKeyReused, .tooManyRequests,
    .tooManyUploads, .headerTooLarge,
    .internalError, .secondFactorUnreadable, .notImplemented, .unsupportedFormat, .notHere,
    .providerFailed, .overloaded, .renderTimeout,
    .notReady, .mailUnavailable, .storageBusy, .storageFull, .quotaExceeded,
  ]

  static let invalidCursor = ProblemKind(
    400, "invalid-cursor", "Invalid cursor",
    "Use the nextCursor of an earlier page unchanged, or start again without a cursor.")

  static let signInExpired = ProblemKind(
    400, "sign-in-expired", "Sign-in expired",
    "This sign-in was begun in another browser, took more than 10 minutes, or has ended before. Start again."
  )

  static let providerRefused = ProblemKind(
    403, "provider-refused", "Refused by the provider",
    "The provider of the single sign-on did not sign you in.")

  static let signInToLink = ProblemKind(
    409, "sign-in-to-link", "Sign in to link",
    "An account with your email exists. Sign in to it with its password, and link the provider in its settings."
  )

  static let identityLinked = ProblemKind(
    409, "identity-linked", "Identity already linked",
    "This identity belongs to another account, or your account has another identity of the provider. Unlink it there first."
  )

  static let lastWayToSignIn = ProblemKind(
    409, "last-way-to-sign-in", "Last way to sign in",
    "The account has no password, so it needs this identity. Set a password first, with a password reset."
  )

  static let providerEmailMissing = ProblemKind(
    422, "provider-email-missing", "No email from the provider",
    "The provider of the single sign-on sent no valid email, which a new account needs.")

  static let providerFailed = ProblemKind(
    502, "provider-failed", "Provider failed",
    "The provider of the single sign-on did not answer, or not as the standard requires. The operator finds the cause in the log.",
    retryAfterSeconds: 5)

  static let wrongCredentials = ProblemKind(
    401, "wrong-credentials", "Wrong username or password",
    "No account matches this username or email and password."
  )

  static let codeRequired = ProblemKind(
    401, "code-required", "Code required",
    "The password is right, and this account has a second factor. Sign in again with a code of your authenticator app, or with a recovery code, in code."
  )

  static let invalidCode = ProblemKind(
    401, "invalid-code", "Invalid code",
    "The code is wrong, too old, or was used before. Sign in again with a new one.")

  static let forbidden = ProblemKind(
    403, "forbidden", "Forbidden",
    "Your credentials are valid, but do not permit this request.")

  static let crossSite = ProblemKind(
    403, "cross-site", "Cross-site request blocked",
    "The session cookie is only accepted from this server's own pages. Programs must send their token in the Authorization header."
  )

  static let suspended = ProblemKind(
    403, "suspended", "Account suspended",
    "An admin suspended this account. You can only sign out, export your data or delete the account."
  )

  static let insufficientScope = ProblemKind(
    403, "insufficient-scope", "Insufficient scope",
    "The access token does not have the scope that this request needs. Create a token with that scope."
  )

  static let registrationClosed = ProblemKind(
    403, "registration-closed", "Registration closed",
    "This server creates accounts only with an invitation, or only through its operator."
  )

  static let emailUnconfirmed = ProblemKind(
    403, "email-unconfirmed", "Email not confirmed",
    "Confirm your email first, with the link that was sent to it. POST /users/me/email-confirmation sends another one."
  )

  static let shareMailOff = ProblemKind(
    403, "share-mail-off", "No sharing by mail",
    "This server sends no memes by mail. Share the link instead.")

  static let invalidReset = ProblemKind(
    404, "invalid-reset", "Invalid password reset link",
    "A reset link works once, for 30 minutes, and expires when the password or email changes. Request a new link."
  )

  static let invalidConfirmation = ProblemKind(
    404, "invalid-confirmation", "Invalid confirmation link",
    "A link confirms one email of one account, once, for 3 days. Request a new link.")

  static let idTaken = ProblemKind(
    409, "id-taken", "ID already in use",
    "Another meme has this ID. Generate a new UUID.")

  static let alreadyClaimed = ProblemKind(
    409, "already-claimed", "Meme already claimed",
    "This meme belongs to an account, so its deleteToken is no longer valid."
  )

  static let usernameTaken = ProblemKind(
    409, "username-taken", "Username taken",
    "Another account has this username. Choose a different one.")

  static let renamedRecently = ProblemKind(
    409, "renamed-recently", "Username changed recently",
    "A username can be changed once in 30 days. usernameChangedAt of GET /users/me has the time of the last change."
  )

  static let emailTaken = ProblemKind(
    409, "email-taken", "Email already in use",
    "An account with this email exists. Sign in, or use a different email.")

  static let aliasTaken = ProblemKind(
    409, "alias-taken", "Alias taken",
    "Another template has one of these aliases. Choose a different one.")

  static let tooManyInvitations = ProblemKind(
    409, "too-many-invitations", "Too many invitations",
    "You have the maximum number of valid invitations. Delete one, or wait until one is used or expires."
  )

  static let tooManyTokens = ProblemKind(
    409, "too-many-tokens", "Too many access tokens",
    "You have the maximum number of valid access tokens. Delete one that you do not use.")

  static let connectionsOff = ProblemKind(
    403, "connections-off", "No connections", "This server does not send events to other programs.")

  static let tooManyConnections = ProblemKind(
    409, "too-many-connections", "Too many connections",
    "There is the maximum number of connections. Delete one that you do not use.")

  static let tooManyMappings = ProblemKind(
    409, "too-many-mappings", "Too many mappings",
    "The connection has the maximum number of mappings. Delete one that you do not use.")

  static let connectionStopped = ProblemKind(
    409, "connection-stopped", "Connection stopped", "The connection is stopped. Restart it first.")

  static let nothingToReload = ProblemKind(
    409, "nothing-to-reload", "Nothing to reload",
    "The mapping has no event meme.created. Add it, or use another mapping.")

  static let secondFactorOn = ProblemKind(
    409, "second-factor-on", "Second factor already on",
    "This account has a second factor. Turn it off first to use another app.")

  static let idempotencyKeyInUse = ProblemKind(
    409, "idempotency-key-in-use", "Idempotency-Key in use",
    "The first request with this Idempotency-Key is still being processed. Retry after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let exportRunning = ProblemKind(
    409, "export-running", "Export already running",
    "Each account can run one export at a time. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let backupRunning = ProblemKind(
    409, "backup-running", "Backup already running",
    "Only one backup can run at a time. Location contains the URL of the running backup.")

  static let offsetMismatch = ProblemKind(
    409, "offset-mismatch", "Upload offset mismatch",
    "Upload-Offset does not match the upload's current offset. Nothing was stored. Get the offset with a HEAD request."
  )

  static let uploadBusy = ProblemKind(
    409, "upload-busy", "Upload in use by another request",
    "Another request is writing to this upload. A HEAD request ends it, keeps the bytes received so far and returns the offset to resume at."
  )

  static let gone = ProblemKind(
    410, "gone", "Gone",
    "The resource was deleted, or the URL belongs to an earlier version. The owner can restore a deleted meme until it is purged from the trash."
  )

  static let cursorExpired = ProblemKind(
    410, "cursor-expired", "Cursor expired",
    "The cursor is too old, or belongs to another account or database. Start a full sync without a cursor, and remove local memes that are not in it."
  )

  static let unsupportedTusVersion = ProblemKind(
    412, "unsupported-tus-version", "Unsupported tus version",
    "The server only supports tus 1.0.0. Send Tus-Resumable: 1.0.0. Nothing was changed."
  )

  static let unsupportedPicture = ProblemKind(
    415, "unsupported-picture", "Unsupported picture format",
    "Send a JPEG, PNG, GIF or WebP file; some servers also accept AVIF and HEIC. The format is detected from the file's content."
  )

  static let invitationInvalid = ProblemKind(
    422, "invitation-invalid", "Invalid invitation",
    "The invitation is unknown, used up, expired, or for another email. Ask for a new one."
  )

  static let idempotencyKeyReused = ProblemKind(
    422, "idempotency-key-reused", "Idempotency-Key already used",
    "A different request used this Idempotency-Key within the last 24 hours. Use a new key for each new request."
  )

  static let tooManyRequests = ProblemKind(
    429, "too-many-requests", "Too many requests",
    "Your account or network exceeded a rate limit, which RateLimit-Policy describes. Nothing was changed. Try again after the time in Retry-After."
  )

  static let tooManyUploads = ProblemKind(
    429, "too-many-uploads", "Too many unfinished uploads",
    "Your account or network reached the limit for unfinished uploads. Finish or delete some, or wait: the oldest expires after the time in Retry-After."
  )

  static let secondFactorUnreadable = ProblemKind(
    500, "second-factor-unreadable", "Second factor unreadable",
    "The server has another secret key than when this second factor was turned on. Use a recovery code, or ask the operator to turn the second factor off."
  )

  static let unsupportedFormat = ProblemKind(
    501, "unsupported-format", "Format not supported",
    "This endpoint only returns JSON.")

  static let notHere = ProblemKind(
    501, "not-here", "Not available on this server",
    "This server keeps its data in PostgreSQL. Back up the database with the tools of PostgreSQL.")

  static let renderTimeout = ProblemKind(
    503, "render-timeout", "Rendering timed out",
    "Rendering exceeded the server's time limit. Try again later, or use a smaller picture.",
    retryAfterSeconds: 2)

  static let notReady = ProblemKind(
    503, "not-ready", "Server not ready",
    "At least one readiness check failed. The detail lists the failed checks.", retryAfterSeconds: 2
  )

  static let mailUnavailable = ProblemKind(
    503, "mail-unavailable", "Mail unavailable",
    "The mail server did not accept the mail. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let storageBusy = ProblemKind(
    503, "storage-busy", "Storage busy",
    "The storage of the server did not process the request in time. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let quotaExceeded = ProblemKind(
    507, "quota-exceeded", "Storage quota exceeded",
    "You have used all of your storage. Nothing was stored. Delete memes or templates to free space; memes in the trash count until they are purged."
  )
}
