/// An error of a store or a service.
package enum MemeError: Error {
  /// The resource does not exist, or the viewer may not know of it.
  case notFound
  /// The viewer could see the resource, but it was deleted.
  case gone
  /// The requested version existed, but the resource was edited since.
  case superseded
  /// A sync position belongs to another database or user, or some deletions after it are no longer recorded.
  case cursorExpired
  /// The resource has another version than the change requires.
  case versionMismatch
  /// The credentials are valid, but do not permit the action.
  case forbidden
  /// The account is suspended: the user may only delete it.
  case suspended
  /// Another meme has the ID that the client chose.
  case idTaken
  /// The meme already has an author.
  case claimed
  /// The first request with this idempotency key is still running.
  case keyInUse
  /// An export of the user is still in progress.
  case exportRunning
  /// Another backup, with this ID, is in progress.
  case backupRunning(BackupID)
  /// The upload does not continue at this offset.
  case offsetMismatch
  /// Another request is sending data for the upload.
  case uploadBusy
  /// The request sends more bytes than the upload lacks.
  case uploadTooLong
  /// The caller has too many unfinished uploads. The first of them expires after `waitSeconds`.
  case tooManyUploads(waitSeconds: Int)
  /// The idempotency key was used with a different request.
  case keyReused
  /// The credentials are invalid, or required and missing.
  case unauthorized
  /// The username or the password is wrong. The error does not reveal which.
  case wrongCredentials
  /// The password is right, but the account has a second factor, and the request has no code.
  case codeRequired
  /// The code of the second factor is wrong, too old, or was used before. The error does not reveal which.
  case invalidCode
  /// The account already has a second factor that is on.
  case secondFactorOn
  /// The second factor of this account was encrypted under another key than the server's.
  case secondFactorUnreadable(UserID)
  /// The password reset link is unknown, used or expired. The error does not reveal which.
  case invalidReset
  /// The server creates no accounts for strangers, or only with an invitation.
  case registrationClosed
  /// The link that confirms an email is unknown or expired, or the account has another email or confirmed this one.
  case invalidConfirmation
  /// The user must confirm the email first.
  case emailUnconfirmed
  /// The server sends no memes by mail.
  case shareMailOff
  /// The invitation is unknown, used up, expired, or for another email. The error does not reveal which.
  case invalidInvitation
  /// The inviter has the maximum number of valid invitations.
  case tooManyInvitations
  /// The user has the maximum number of valid access tokens.
  case tooManyTokens
  /// The server has ``ConnectionMode/off``.
  case connectionsOff
  /// There is the maximum number of connections.
  case tooManyConnections
  /// The connection has the maximum number of mappings.
  case tooManyMappings
  /// The connection is stopped. The owner must restart it.
  case connectionStopped
  /// The mapping has no event that can be sent again.
  case nothingToReload
  /// A single sign-on was begun in another browser, took too long, or has ended before.
  case signInExpired
  /// The provider of single sign-ons did not sign the user in. The text is its error code.
  case signInRefused(String)
  /// The provider of single sign-ons did not answer, or not as the standard requires. The reason is for the log.
  case providerFailed(String)
  /// The provider of single sign-ons sent no email, without which there is no new account.
  case providerEmailMissing
  /// The email of a new identity belongs to an account, whose user must link the identity.
  case signInToLink
  /// The identity belongs to another account, or the account has another identity of the same provider.
  case identityLinked
  /// The account has no password and no other identity.
  case lastWayToSignIn
  /// A rate limit was exceeded. The action was not performed.
  case throttled(Allowance)
  /// The username is already in use.
  case usernameTaken
  /// The username was changed less than ``Username/reservedDays`` ago.
  case renamedRecently
  /// The email is already in use.
  case emailTaken
  /// Another template has the alias.
  case aliasTaken
  /// The file is not a picture in a supported format.
  case unsupportedPicture
  /// A field of the request is invalid.
  case invalid(field: String, InvalidValue)
  /// Too many renderings or password checks are waiting. `retryAfter` is the time after which a retry is
  /// likely to succeed.
  case overloaded(retryAfter: Duration = .zero)
  /// Drawing took longer than allowed.
  case renderTimeout
  /// A mail could not be sent.
  case mail(MailError)
  /// The disk is full.
  case storageFull
  /// The quota of the caller is used up. Nothing was stored.
  case quotaExceeded(Quota)
  /// The store did not respond in time.
  case storageBusy
  /// The store is temporarily out of file descriptors or memory. The underlying error is only for the log.
  case storageStarved(any Error)
  /// The store failed. The underlying error is only for the log.
  case storage(any Error)
  /// The renderer is temporarily out of memory. The underlying error is only for the log.
  case renderingStarved(any Error)
  /// Drawing failed for a reason that the client cannot fix. The underlying error is only for the log.
  case rendering(any Error)
}

extension MemeError {
  /// The request refers to an upload that has expired or never existed. This is not ``notFound``, because that would
  /// concern the meme.
  package static let noSuchUpload = MemeError.invalid(
    field: "upload",
    InvalidValue(code: "unknown-upload", message: "The upload does not exist or has expired."))

  /// The request refers to a template that was deleted or never existed.
  package static let noSuchTemplate = unknownTemplate(in: "template")

  /// - Parameter field: the field of the request that names the template.
  package static func unknownTemplate(in field: String) -> MemeError {
    .invalid(
      field: field,
      InvalidValue(
        code: "unknown-template", message: "The template does not exist or was deleted."))
  }

  /// The remix of a meme that is not public must be private, but the request asks for another visibility.
  package static let remixIsPrivate = MemeError.invalid(
    field: "visibility",
    InvalidValue(
      code: "source-not-public",
      message: "A remix of a meme that is not public must be private."))

  /// The picture of a meme that must stay private cannot be a template, which everyone sees.
  package static let privateTemplate = MemeError.invalid(
    field: "remix",
    InvalidValue(
      code: "source-not-public",
      message: "A template of another author's meme needs a public one."))

  /// The request refers to a meme that was deleted, never existed, or is not visible to the viewer.
  package static let noSuchSource = MemeError.invalid(
    field: "remix",
    InvalidValue(code: "unknown-meme", message: "The meme does not exist or was deleted."))

}

extension Error {
  /// The error as text for operators, with the underlying error of the store or the renderer.
  package var reason: String {
    switch self as any Error {
    case MemeError.storage(let error), MemeError.rendering(let error): "\(error)"
    case MemeError.storageStarved(let error), MemeError.renderingStarved(let error): "\(error)"
    case MemeError.storageFull: "the disk is full"
    case MemeError.storageBusy: "the database did not respond in time"
    case MemeError.mail(.unavailable(let cause)): cause
    case MemeError.mail(.unanswered(let cause)): "\(cause); the mail may arrive"
    case MemeError.mail(.refused(let status)): "the mail server rejected it, status \(status)"
    case MemeError.overloaded, MemeError.mail(.overloaded): "overloaded, or stopping"
    default: "\(self)"
    }
  }

  /// Whether the error means that something does not exist, or no longer exists.
  package var isAbsence: Bool {
    switch self as any Error {
    case MemeError.notFound, MemeError.gone: true
    default: false
    }
  }
}
