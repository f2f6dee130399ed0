/// Why a use case did not do what it was asked.
package enum MemeError: Error {
  /// There is no such thing, or this viewer may not know of it.
  case notFound
  /// It was there for this viewer and is deleted.
  case gone
  /// It was there for this viewer as it is asked for, and was edited since.
  case superseded
  /// A place in somebody's changes is of another database or person, or a deletion behind it is not known any more.
  case cursorExpired
  /// The meme is not at a version that the change is meant for.
  case versionMismatch
  /// The credentials are good, but not for this.
  case forbidden
  /// The person may do nothing but leave.
  case suspended
  /// The client's id belongs to a different meme.
  case idTaken
  /// The meme is somebody's already.
  case claimed
  /// The first request with this key is still being answered.
  case keyInUse
  /// The person has an export that is still being made or fetched.
  case exportRunning
  /// A backup is being made: this one.
  case backupRunning(BackupID)
  /// The upload does not go on at this byte.
  case offsetMismatch
  /// Another request sends to the upload.
  case uploadBusy
  /// More than is left of the upload was sent.
  case uploadTooLong
  /// Whoever asks has begun too many uploads; the first of them expires after so many seconds.
  case tooManyUploads(waitSeconds: Int)
  /// The key came with another request before.
  case keyReused
  /// The credentials are unknown, or there are none where some are needed.
  case unauthorized
  /// The name or the password is wrong; which of them is not told.
  case wrongCredentials
  /// The link to choose a new password by is unknown, used or over; which of them is not told.
  case invalidReset
  /// It was done too often; this time it was not done.
  case throttled(Allowance)
  /// Somebody has this username.
  case usernameTaken
  /// Somebody has this email.
  case emailTaken
  /// The file is not a picture of a kind that is read.
  case unsupportedPicture
  /// A part of what was sent cannot be taken.
  case invalid(field: String, InvalidValue)
  /// Too much is being drawn already, or too many passwords checked; after this time it is likely to be less.
  case overloaded(retryAfter: Duration = .zero)
  /// Drawing took longer than allowed.
  case renderTimeout
  /// A mail could not be sent.
  case mail(MailError)
  /// The disk is full.
  case storageFull
  /// Somebody has stored as much as they may. Nothing was stored.
  case quotaExceeded(Quota)
  /// The store did not answer in time.
  case storageBusy
  /// The store has no open files or no memory left at the moment; what it said is for the log only.
  case storageStarved(any Error)
  /// The store failed; what it said is for the log only.
  case storage(any Error)
  /// There is no memory left to draw with at the moment; what was said is for the log only.
  case renderingStarved(any Error)
  /// Drawing failed for a reason that is not the client's; what was said is for the log only.
  case rendering(any Error)
}

extension MemeError {
  /// An upload was named that has expired or never was. The request is about a meme, so this is not ``notFound``.
  package static let noSuchUpload = MemeError.invalid(
    field: "upload",
    InvalidValue(code: "unknown-upload", message: "There is no such upload, or it has expired."))

  /// A template was named that was deleted or never was.
  package static let noSuchTemplate = MemeError.invalid(
    field: "template",
    InvalidValue(
      code: "unknown-template", message: "There is no such template, or it was deleted."))

  /// A remix of a meme that its author does not show to everyone was to be more than private.
  package static let remixIsPrivate = MemeError.invalid(
    field: "visibility",
    InvalidValue(
      code: "source-not-public",
      message: "The remixed meme is not public, so its remix can only be private."))

  /// A meme was named to be remixed that was deleted, never was, or is hidden from this viewer.
  package static let noSuchSource = MemeError.invalid(
    field: "remix",
    InvalidValue(code: "unknown-meme", message: "There is no such meme, or it was deleted."))

  /// What went wrong, for an operator: what the store or the renderer said is in it.
  package var reason: String {
    switch self {
    case .storage(let error), .rendering(let error): "\(error)"
    default: "\(self)"
    }
  }
}
