package import HTTP

/// The problems of the API. A new problem needs an entry here and in ``all``, its code in `ProblemCode` of the
/// contract, and a line in `Problem.init(_: any Error)` if a domain error causes it.
extension ProblemKind {
  /// All kinds that a client can receive, ordered by status.
  package static let all: [ProblemKind] = [
    .malformedRequest, .invalidCursor, .invalidIdempotencyKey, .unauthorized, .wrongCredentials,
    .forbidden, .crossSite, .suspended, .notFound, .invalidReset, .methodNotAllowed,
    .notAcceptable, .requestTimeout, .idTaken, .alreadyClaimed, .usernameTaken, .emailTaken,
    .idempotencyKeyInUse, .exportRunning, .backupRunning, .offsetMismatch, .uploadBusy, .gone,
    .cursorExpired, .preconditionFailed, .unsupportedTusVersion, .contentTooLarge, .uriTooLong,
    .unsupportedMediaType, .unsupportedPicture, .expectationFailed, .rangeNotSatisfiable,
    .invalidInput, .idempotencyKeyReused, .tooManyRequests, .tooManyUploads, .headerTooLarge,
    .internalError, .notImplemented, .unsupportedFormat, .overloaded, .renderTimeout, .notReady,
    .mailUnavailable, .storageBusy, .storageFull, .quotaExceeded,
  ]

  static let invalidCursor = ProblemKind(
    400, "invalid-cursor", "The cursor is not one of ours",
    "A cursor is taken as it came from an earlier page's nextCursor. Start again without one.")

  static let wrongCredentials = ProblemKind(
    401, "wrong-credentials", "The name or the password is wrong",
    "There is no account of this username or email with this password. Which of them is wrong is not told."
  )

  static let forbidden = ProblemKind(
    403, "forbidden", "This is not allowed",
    "The credentials are good, but not for this call.")

  static let crossSite = ProblemKind(
    403, "cross-site", "The request came from another site",
    "A browser sent its session cookie with a request that a page of this server did not make, or cannot be told to have made. Programs show their token in Authorization instead."
  )

  static let suspended = ProblemKind(
    403, "suspended", "The account is suspended",
    "An admin suspended the account. Nothing can be done with it until an admin takes that back, but to sign out, to export what is yours and to delete the account."
  )

  static let invalidReset = ProblemKind(
    404, "invalid-reset", "The link cannot be used",
    "A link to choose a new password by can be used once, within 30 minutes, and not when the password or the email was changed meanwhile. Ask for a new one."
  )

  static let idTaken = ProblemKind(
    409, "id-taken", "The id is taken",
    "Another meme has this id. Choose a new UUID for a new meme.")

  static let alreadyClaimed = ProblemKind(
    409, "already-claimed", "The meme has an owner",
    "Somebody has claimed this meme, or made it with an account. Its deleteToken opens nothing any more."
  )

  static let usernameTaken = ProblemKind(
    409, "username-taken", "The username is taken",
    "Somebody has this username. Choose another one.")

  static let emailTaken = ProblemKind(
    409, "email-taken", "The email is taken",
    "Somebody has registered with this email. Sign in, or use another one.")

  static let idempotencyKeyInUse = ProblemKind(
    409, "idempotency-key-in-use", "The first request of this key still runs",
    "A request with this Idempotency-Key is still being answered. Send the same request again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let exportRunning = ProblemKind(
    409, "export-running", "The export before is not over",
    "An account has one export at a time, until it is fetched. Ask again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let backupRunning = ProblemKind(
    409, "backup-running", "A backup is being made",
    "There is one backup at a time. Location has the address of the one that is being made.")

  static let offsetMismatch = ProblemKind(
    409, "offset-mismatch", "The upload is not at this offset",
    "The upload goes on at another byte than Upload-Offset says. HEAD tells at which. Nothing was kept of this request."
  )

  static let uploadBusy = ProblemKind(
    409, "upload-busy", "The upload goes on by another request",
    "Another request sends to this upload, or took it over from this one. HEAD ends what is under way, keeps what arrived, and tells where to go on."
  )

  static let gone = ProblemKind(
    410, "gone", "It is not here any more",
    "It was here and is deleted, or this is an address of what it was before an edit. The owner of a deleted meme can restore it for some days."
  )

  static let cursorExpired = ProblemKind(
    410, "cursor-expired", "The cursor is too old",
    "Memes were deleted behind the cursor so long ago that it is not known which, or the cursor is of another account or of a server that began again. Start again without one, and drop what does not come again."
  )

  static let unsupportedTusVersion = ProblemKind(
    412, "unsupported-tus-version", "This version of tus is not spoken here",
    "The only version of the tus protocol that the server speaks is 1.0.0, which a request says in Tus-Resumable. Nothing was done."
  )

  static let unsupportedPicture = ProblemKind(
    415, "unsupported-picture", "Not a picture of a supported kind",
    "Pictures are read as JPEG, PNG, GIF or WebP, and as AVIF or HEIC if the server can confine their decoders; told by their bytes and never by their names."
  )

  static let idempotencyKeyReused = ProblemKind(
    422, "idempotency-key-reused", "The Idempotency-Key was used before",
    "Another request came with this Idempotency-Key within the last 24 hours. A new request takes a new key."
  )

  static let tooManyRequests = ProblemKind(
    429, "too-many-requests", "Too much at once",
    "More of this came from the account, or from the network where nobody is signed in, than is let through at a time. Nothing was done. Send it again after the time in Retry-After; RateLimit-Policy names the limit and its numbers."
  )

  static let tooManyUploads = ProblemKind(
    429, "too-many-uploads", "Too many uploads are not finished",
    "The account, or the network where nobody is signed in, has begun more uploads than may wait to be finished, or larger ones. Finish or delete some of them; the first of them expires after the time in Retry-After."
  )

  static let unsupportedFormat = ProblemKind(
    501, "unsupported-format", "The format is not supported",
    "The answer is to be had as JSON only.")

  static let renderTimeout = ProblemKind(
    503, "render-timeout", "Drawing took too long",
    "The picture was not drawn within the server's limit. Try again later, or send a smaller picture.",
    retryAfterSeconds: 2)

  static let notReady = ProblemKind(
    503, "not-ready", "The server is not ready",
    "A part of the server does not work at the moment; the detail says which.", retryAfterSeconds: 2
  )

  static let mailUnavailable = ProblemKind(
    503, "mail-unavailable", "Mail cannot be sent",
    "The mail server did not take the mail this time. Nothing was sent. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let storageBusy = ProblemKind(
    503, "storage-busy", "The storage is busy",
    "The storage did not get to this request in time. Try again after the time in Retry-After.",
    retryAfterSeconds: 2)

  static let quotaExceeded = ProblemKind(
    507, "quota-exceeded", "The quota is used up",
    "You have stored as much as you may. Nothing was stored. Delete memes, which count until they leave the trash, or templates. What is there can be seen, edited and exported."
  )
}
