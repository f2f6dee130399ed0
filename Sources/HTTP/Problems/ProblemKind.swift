/// Every kind of failure that a client can be told of. The raw value is its stable code.
package enum ProblemKind: String, CaseIterable, Sendable {
  case malformedRequest = "malformed-request"
  case invalidCursor = "invalid-cursor"
  case invalidIdempotencyKey = "invalid-idempotency-key"
  case unauthorized = "unauthorized"
  case wrongCredentials = "wrong-credentials"
  case forbidden = "forbidden"
  case crossSite = "cross-site"
  case suspended = "suspended"
  case notFound = "not-found"
  case invalidReset = "invalid-reset"
  case methodNotAllowed = "method-not-allowed"
  case notAcceptable = "not-acceptable"
  case requestTimeout = "request-timeout"
  case idTaken = "id-taken"
  case alreadyClaimed = "already-claimed"
  case usernameTaken = "username-taken"
  case emailTaken = "email-taken"
  case idempotencyKeyInUse = "idempotency-key-in-use"
  case exportRunning = "export-running"
  case backupRunning = "backup-running"
  case offsetMismatch = "offset-mismatch"
  case uploadBusy = "upload-busy"
  case gone = "gone"
  case cursorExpired = "cursor-expired"
  case preconditionFailed = "precondition-failed"
  case unsupportedTusVersion = "unsupported-tus-version"
  case contentTooLarge = "content-too-large"
  case uriTooLong = "uri-too-long"
  case unsupportedMediaType = "unsupported-media-type"
  case unsupportedPicture = "unsupported-picture"
  case expectationFailed = "expectation-failed"
  case rangeNotSatisfiable = "range-not-satisfiable"
  case invalidInput = "invalid-input"
  case idempotencyKeyReused = "idempotency-key-reused"
  case tooManyRequests = "too-many-requests"
  case tooManyUploads = "too-many-uploads"
  case headerTooLarge = "header-too-large"
  case internalError = "internal-error"
  case notImplemented = "not-implemented"
  case unsupportedFormat = "unsupported-format"
  case overloaded = "overloaded"
  case renderTimeout = "render-timeout"
  case notReady = "not-ready"
  case mailUnavailable = "mail-unavailable"
  case storageBusy = "storage-busy"
  case storageFull = "storage-full"
  case quotaExceeded = "quota-exceeded"

  package var status: Status {
    switch self {
    case .malformedRequest, .invalidCursor, .invalidIdempotencyKey: Status(400)
    case .unauthorized, .wrongCredentials: Status(401)
    case .forbidden, .crossSite, .suspended: Status(403)
    case .notFound, .invalidReset: Status(404)
    case .methodNotAllowed: Status(405)
    case .notAcceptable: Status(406)
    case .requestTimeout: Status(408)
    case .idTaken, .alreadyClaimed, .usernameTaken, .emailTaken, .idempotencyKeyInUse,
      .exportRunning, .backupRunning, .offsetMismatch, .uploadBusy:
      Status(409)
    case .gone, .cursorExpired: Status(410)
    case .preconditionFailed, .unsupportedTusVersion: Status(412)
    case .contentTooLarge: Status(413)
    case .uriTooLong: Status(414)
    case .unsupportedMediaType, .unsupportedPicture: Status(415)
    case .rangeNotSatisfiable: Status(416)
    case .expectationFailed: Status(417)
    case .invalidInput, .idempotencyKeyReused: Status(422)
    case .tooManyRequests, .tooManyUploads: Status(429)
    case .headerTooLarge: Status(431)
    case .internalError: Status(500)
    case .notImplemented, .unsupportedFormat: Status(501)
    case .overloaded, .renderTimeout, .notReady, .mailUnavailable, .storageBusy: Status(503)
    case .storageFull, .quotaExceeded: Status(507)
    }
  }

  /// A few words that say what happened.
  package var title: String {
    switch self {
    case .malformedRequest: "The request is malformed"
    case .invalidCursor: "The cursor is not one of ours"
    case .invalidIdempotencyKey: "The Idempotency-Key is malformed"
    case .unauthorized: "Valid credentials are needed"
    case .wrongCredentials: "The name or the password is wrong"
    case .forbidden: "This is not allowed"
    case .crossSite: "The request came from another site"
    case .suspended: "The account is suspended"
    case .notFound: "There is no such thing"
    case .invalidReset: "The link cannot be used"
    case .methodNotAllowed: "The method is not allowed here"
    case .notAcceptable: "No acceptable representation"
    case .requestTimeout: "The request came too slowly"
    case .idTaken: "The id is taken"
    case .alreadyClaimed: "The meme has an owner"
    case .usernameTaken: "The username is taken"
    case .emailTaken: "The email is taken"
    case .idempotencyKeyInUse: "The first request of this key still runs"
    case .exportRunning: "The export before is not over"
    case .backupRunning: "A backup is being made"
    case .offsetMismatch: "The upload is not at this offset"
    case .uploadBusy: "The upload goes on by another request"
    case .gone: "It is not here any more"
    case .cursorExpired: "The cursor is too old"
    case .preconditionFailed: "It is not as the condition wants it"
    case .unsupportedTusVersion: "This version of tus is not spoken here"
    case .contentTooLarge: "The content is too large"
    case .uriTooLong: "The address is too long"
    case .unsupportedMediaType: "The media type is not supported"
    case .unsupportedPicture: "Not a picture of a supported kind"
    case .rangeNotSatisfiable: "There is no such range"
    case .expectationFailed: "The expectation cannot be met"
    case .invalidInput: "Some of the input is invalid"
    case .idempotencyKeyReused: "The Idempotency-Key was used before"
    case .tooManyRequests: "Too much at once"
    case .tooManyUploads: "Too many uploads are not finished"
    case .headerTooLarge: "The header is too large"
    case .internalError: "Something went wrong on the server"
    case .notImplemented: "The method is unknown"
    case .unsupportedFormat: "The format is not supported"
    case .overloaded: "The server is too busy"
    case .renderTimeout: "Drawing took too long"
    case .notReady: "The server is not ready"
    case .mailUnavailable: "Mail cannot be sent"
    case .storageBusy: "The storage is busy"
    case .storageFull: "The storage is full"
    case .quotaExceeded: "The quota is used up"
    }
  }

  /// What it means and what to do about it, in a sentence or two.
  package var explanation: String {
    switch self {
    case .malformedRequest:
      "The request's syntax is broken: its framing, its address, or its multipart body. Send it again in the right form."
    case .invalidCursor:
      "A cursor is taken as it came from an earlier page's nextCursor. Start again without one."
    case .invalidIdempotencyKey:
      "An Idempotency-Key is sent once, as 1 to 255 visible ASCII characters, bare or as a quoted string. A UUID is best."
    case .unauthorized:
      "The call needs a bearer token that is valid for it: that of a session, the admin's, or the deleteToken that came with the upload."
    case .wrongCredentials:
      "There is no account of this username or email with this password. Which of them is wrong is not told."
    case .forbidden:
      "The credentials are good, but not for this call."
    case .crossSite:
      "A browser sent its session cookie with a request that a page of this server did not make, or cannot be told to have made. Programs show their token in Authorization instead."
    case .suspended:
      "An admin suspended the account. Nothing can be done with it until an admin takes that back, but to sign out, to export what is yours and to delete the account."
    case .notFound:
      "Nothing is at this address, or you may not know of it."
    case .invalidReset:
      "A link to choose a new password by can be used once, within 30 minutes, and not when the password or the email was changed meanwhile. Ask for a new one."
    case .methodNotAllowed:
      "The address exists, but not for this method. The Allow header lists the methods that it takes."
    case .notAcceptable:
      "The Accept header allows none of the media types that this call can answer with."
    case .requestTimeout:
      "The request's header or body did not arrive in the time that the server gives it. Send it again over a faster connection."
    case .idTaken:
      "Another meme has this id. Choose a new UUID for a new meme."
    case .alreadyClaimed:
      "Somebody has claimed this meme, or made it with an account. Its deleteToken opens nothing any more."
    case .usernameTaken:
      "Somebody has this username. Choose another one."
    case .emailTaken:
      "Somebody has registered with this email. Sign in, or use another one."
    case .idempotencyKeyInUse:
      "A request with this Idempotency-Key is still being answered. Send the same request again after the time in Retry-After."
    case .exportRunning:
      "An account has one export at a time, until it is fetched. Ask again after the time in Retry-After."
    case .backupRunning:
      "There is one backup at a time. Location has the address of the one that is being made."
    case .offsetMismatch:
      "The upload goes on at another byte than Upload-Offset says. HEAD tells at which. Nothing was kept of this request."
    case .uploadBusy:
      "Another request sends to this upload, or took it over from this one. HEAD ends what is under way, keeps what arrived, and tells where to go on."
    case .gone:
      "It was here and is deleted, or this is an address of what it was before an edit. The owner of a deleted meme can restore it for some days."
    case .cursorExpired:
      "Memes were deleted behind the cursor so long ago that it is not known which, or the cursor is of another account or of a server that began again. Start again without one, and drop what does not come again."
    case .preconditionFailed:
      "It has changed since you saw it: none of the tags in If-Match is its tag now. Nothing was done. Fetch it again, and decide anew."
    case .unsupportedTusVersion:
      "The only version of the tus protocol that the server speaks is 1.0.0, which a request says in Tus-Resumable. Nothing was done."
    case .contentTooLarge:
      "The body, or one of its parts, has more bytes than the server takes."
    case .uriTooLong:
      "The address has more than 8192 bytes."
    case .unsupportedMediaType:
      "The body's Content-Type is not one that this call reads."
    case .unsupportedPicture:
      "Pictures are read as JPEG, PNG, GIF or WebP, and as AVIF or HEIC if the server can confine their decoders; told by their bytes and never by their names."
    case .rangeNotSatisfiable:
      "The Range header asks for bytes behind the end. Content-Range says how many there are."
    case .expectationFailed:
      "The only expectation that the server knows is Expect: 100-continue."
    case .invalidInput:
      "The request is well-formed, but some values cannot be taken. The member errors names each field and what is wrong with it."
    case .idempotencyKeyReused:
      "Another request came with this Idempotency-Key within the last 24 hours. A new request takes a new key."
    case .tooManyRequests:
      "More of this came from the account, or from the network where nobody is signed in, than is let through at a time. Nothing was done. Send it again after the time in Retry-After; RateLimit-Policy names the limit and its numbers."
    case .tooManyUploads:
      "The account, or the network where nobody is signed in, has begun more uploads than may wait to be finished, or larger ones. Finish or delete some of them; the first of them expires after the time in Retry-After."
    case .headerTooLarge:
      "The request's header fields have more bytes than the server takes."
    case .internalError:
      "The failure is not yours. The request id tells the operator where to look in the log."
    case .notImplemented:
      "The server does not know this request method."
    case .unsupportedFormat:
      "The answer is to be had as JSON only."
    case .overloaded:
      "More is waiting to be drawn, or more passwords to be checked, than the server takes on. Try again after the time in Retry-After."
    case .renderTimeout:
      "The picture was not drawn within the server's limit. Try again later, or send a smaller picture."
    case .notReady:
      "A part of the server does not work at the moment; the detail says which."
    case .mailUnavailable:
      "The mail server did not take the mail this time. Nothing was sent. Try again after the time in Retry-After."
    case .storageBusy:
      "The storage did not get to this request in time. Try again after the time in Retry-After."
    case .storageFull:
      "There is no room left to keep what was sent, or to put together what was asked for. Nothing was stored."
    case .quotaExceeded:
      "You have stored as much as you may. Nothing was stored. Delete memes, which count until they leave the trash, or templates. What is there can be seen, edited and exported."
    }
  }
}
