import Bytes
import HTTP
import Memes

extension Problem {
  /// Converts an error to the problem that the client receives. No other code does this.
  ///
  /// An unknown error becomes a 500 without details. The caller logs it.
  init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as MemeError: self.init(naming: error)
    case is MemeVersionMismatch: self.init(naming: .versionMismatch)
    case let error as InvalidFields:
      self.init(
        invalid: error.faults.map {
          InvalidField($0.field, code: $0.value.code, message: $0.value.message)
        })
    case let failure as Spool.Failure: self.init(failure)
    case is CancellationError: self.init(.overloaded)
    default: self.init(.internalError, cause: String(reflecting: error))
    }
  }

  private init(naming error: MemeError) {
    switch error {
    case .notFound: self.init(.notFound)
    case .gone: self.init(.gone)
    case .cursorExpired: self.init(.cursorExpired)
    case .superseded:
      self.init(
        .gone,
        "The meme was edited, and this URL belongs to an earlier version. Get the current URL from its JSON."
      )
    case .versionMismatch: self.init(.preconditionFailed)
    case .idTaken: self.init(.idTaken)
    case .claimed: self.init(.alreadyClaimed)
    case .keyInUse: self.init(.idempotencyKeyInUse)
    case .exportRunning: self.init(.exportRunning)
    case .backupRunning: self.init(.backupRunning)
    case .offsetMismatch: self.init(.offsetMismatch)
    case .uploadBusy: self.init(.uploadBusy)
    case .uploadTooLong:
      self.init(.contentTooLarge, "The request body is longer than the rest of the upload.")
    case .tooManyUploads(let seconds):
      self.init(
        .tooManyUploads, headers: Headers([retryAfter(.seconds(seconds))].compactMap { $0 }))
    case .keyReused: self.init(.idempotencyKeyReused)
    case .unauthorized: self.init(.unauthorized)
    case .forbidden: self.init(.forbidden)
    case .suspended: self.init(.suspended)
    case .wrongCredentials: self.init(.wrongCredentials)
    case .codeRequired: self.init(.codeRequired)
    case .invalidCode: self.init(.invalidCode)
    case .secondFactorOn: self.init(.secondFactorOn)
    case .secondFactorUnreadable(let person):
      self.init(
        .secondFactorUnreadable,
        cause:
          "the second factor of \(person) is encrypted under another secret key; mememe user second-factor NAME off turns it off"
      )
    case .invalidReset: self.init(.invalidReset)
    case .invalidConfirmation: self.init(.invalidConfirmation)
    case .emailUnconfirmed: self.init(.emailUnconfirmed)
    case .shareMailOff: self.init(.shareMailOff)
    case .registrationClosed: self.init(.registrationClosed)
    case .invalidInvitation: self.init(.invitationInvalid)
    case .tooManyInvitations: self.init(.tooManyInvitations)
    case .tooManyTokens: self.init(.tooManyTokens)
    case .connectionsOff: self.init(.connectionsOff)
    case .tooManyConnections: self.init(.tooManyConnections)
    case .tooManyMappings: self.init(.tooManyMappings)
    case .connectionStopped: self.init(.connectionStopped)
    case .nothingToReload: self.init(.nothingToReload)
    case .signInExpired: self.init(.signInExpired)
    case .signInRefused(let code):
      self.init(.providerRefused, cause: "the provider refused a sign-in: \(code)")
    case .providerFailed(let reason): self.init(.providerFailed, cause: reason)
    case .providerEmailMissing: self.init(.providerEmailMissing)
    case .signInToLink: self.init(.signInToLink)
    case .identityLinked: self.init(.identityLinked)
    case .lastWayToSignIn: self.init(.lastWayToSignIn)
    case .throttled(let allowance): self.init(allowance)
    case .usernameTaken: self.init(.usernameTaken)
    case .renamedRecently: self.init(.renamedRecently)
    case .emailTaken: self.init(.emailTaken)
    case .aliasTaken: self.init(.aliasTaken)
    case .unsupportedPicture: self.init(.unsupportedPicture)
    case .invalid(let field, let value):
      self.init(invalid: [InvalidField(field, code: value.code, message: value.message)])
    case .overloaded(let time):
      self.init(
        .overloaded, headers: Headers([retryAfter(max(time, .seconds(2)))].compactMap { $0 }))
    case .renderTimeout: self.init(.renderTimeout)
    case .mail(let error): self.init(naming: error)
    case .storageFull: self.init(.storageFull, cause: "the disk of the data folder is full")
    case .quotaExceeded(let quota): self.init(quota)
    case .storageBusy: self.init(.storageBusy)
    case .storageStarved(let error):
      self.init(.storageBusy, cause: String(reflecting: error))
    case .renderingStarved(let error):
      self.init(.overloaded, cause: String(reflecting: error))
    // The client disconnected, or the server is stopping. No client reads the response, and this is not a failure.
    case .rendering(let error) where error is CancellationError: self.init(.overloaded)
    case .storage(let error), .rendering(let error):
      self.init(.internalError, cause: String(reflecting: error))
    }
  }

  private init(naming error: MailError) {
    switch error {
    case .refused(let status):
      self.init(
        .invalidInput, "to: The mail server rejected this address.",
        fields: [
          InvalidField(
            "to", code: "refused",
            message: "The mail server rejected this address (status \(status)).")
        ])
    case .unavailable(let reason): self.init(.mailUnavailable, cause: reason)
    case .unanswered(let reason):
      self.init(
        .mailUnavailable,
        "The mail server did not confirm the mail, which may arrive. Try again after the time in Retry-After.",
        cause: reason)
    case .overloaded: self.init(.mailUnavailable)
    }
  }
}
