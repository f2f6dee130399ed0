/// The rate limits. The raw value is the name in `RateLimit`, in metrics and in the documentation.
package enum Limit: String, CaseIterable, Sendable {
  /// New accounts.
  case registration
  /// Password checks, also of correct passwords: each takes some tens of milliseconds.
  case password
  /// Wrong passwords for one account from one network.
  case wrongPassword = "wrong-password"
  /// Wrong codes of the second factor of one account, from all networks: only a caller with the password can try them.
  case wrongCode = "wrong-code"
  /// The begin and the end of single sign-ons, both of which make the server ask the provider.
  case singleSignOn = "single-sign-on"
  /// Requests for a password reset, each of which may send a mail.
  case passwordReset = "password-reset"
  /// Small changes: deleting, restoring, following, blocking.
  case change
  /// Changes of a user's settings.
  case settings
  /// Exports of a user's data.
  case export
  /// Pictures that are uploaded, drawn and stored.
  case upload
  /// Pieces of resumable uploads.
  case piece
  /// Pictures that are drawn and not stored.
  case preview
  /// The cost of rendering, in megapixels of JPEG read and written. Pictures that are already stored cost nothing.
  case render
  /// Searches for memes and people. Common words that never occur together take up to half a second on large databases.
  /// A query designed to be slow takes a second and is then interrupted.
  case search
  /// New and edited comments.
  case comment
  /// Counted shares.
  case share
  /// Reports to the admins.
  case report
  /// Mails that one user sends to others, or causes by a new email of the account.
  case mail

  /// Mails to one mailbox about changes of an account.
  case notice

  /// Mails to one mailbox about sign-ins on new devices. Apart from ``notice``, so that sign-ins cannot suppress a mail
  /// about a changed password.
  case newDevice = "new-device"

  /// Mails to one mailbox with a link that confirms it. Apart from ``notice``, so that a thief of a password cannot
  /// request links to suppress a mail about a changed password.
  case confirmation

  /// The rates. `docs/operations.md` and the API description list them as well.
  package var rate: Rate {
    switch self {
    case .registration: Rate(burst: 20, interval: .seconds(180))
    case .password: Rate(burst: 30, interval: .seconds(2))
    case .singleSignOn: Rate(burst: 30, interval: .seconds(2))
    case .wrongPassword: Rate(burst: 10, interval: .seconds(360))
    case .wrongCode: Rate(burst: 5, interval: .seconds(180))
    case .passwordReset: Rate(burst: 10, interval: .seconds(180))
    // A phone that was offline sends all of its changes at once.
    case .change: Rate(burst: 600, interval: .milliseconds(100))
    case .settings: Rate(burst: 120, interval: .milliseconds(500))
    case .export: Rate(burst: 5, interval: .seconds(3600))
    case .upload: Rate(burst: 120, interval: .milliseconds(500))
    // The largest picture in pieces of 64 KiB has 512 pieces.
    case .piece: Rate(burst: 1200, interval: .milliseconds(50))
    // Dragging a caption requests one preview per frame of the screen.
    case .preview: Rate(burst: 600, interval: .milliseconds(25))
    // Two cores draw about 200 megapixels of JPEG per second.
    case .render: Rate(burst: 200, interval: .milliseconds(50))
    // The search box sends a request per typed letter.
    case .search: Rate(burst: 120, interval: .milliseconds(500))
    case .comment: Rate(burst: 60, interval: .seconds(3))
    case .share: Rate(burst: 60, interval: .seconds(1))
    case .report: Rate(burst: 20, interval: .seconds(60))
    case .mail: Rate(burst: 20, interval: .seconds(180))
    case .notice: Rate(burst: 5, interval: .seconds(14_400))
    case .newDevice: Rate(burst: 3, interval: .seconds(14_400))
    case .confirmation: Rate(burst: 5, interval: .seconds(14_400))
    }
  }

  /// The factor by which the caller's rate exceeds ``rate``.
  package func share(of caller: Caller) -> Int {
    if case (.render, .person) = (self, caller) { 2 } else { 1 }
  }

  /// The number of networks whose allowance one site gets, for limits that many networks would evade.
  package static let networksOfSite = 8

  /// The rate of all networks of a site together; `nil` if only single networks are limited.
  package var siteRate: Rate? {
    switch self {
    case .registration, .password, .singleSignOn, .wrongPassword, .passwordReset, .report, .render:
      Rate(burst: rate.burst * Self.networksOfSite, interval: rate.interval / Self.networksOfSite)
    case .wrongCode, .change, .settings, .export, .upload, .piece, .preview, .search, .comment,
      .share, .mail, .notice, .newDevice, .confirmation:
      nil
    }
  }
}
