/// What is limited. The raw value is its name in `RateLimit`, in metrics and in the documents.
package enum Limit: String, CaseIterable, Sendable {
  /// New accounts.
  case registration
  /// Passwords that are checked, right ones too: each costs the machine some tens of milliseconds.
  case password
  /// Wrong passwords for one account from one network.
  case wrongPassword = "wrong-password"
  /// Links to choose a new password by, which are mails to somebody.
  case passwordReset = "password-reset"
  /// Small changes: what is deleted, restored, followed, blocked.
  case change
  /// Changes of a person's settings.
  case settings
  /// Archives of everything that is a person's.
  case export
  /// Pictures that are sent, drawn and kept.
  case upload
  /// Pieces of uploads that come in many.
  case piece
  /// Pictures that are drawn and not kept.
  case preview
  /// The cost of drawing, in megapixels of JPEG that are read and written. Pictures that are stored already cost nothing.
  case render
  /// Searches, for memes and for people: words that are common and never together take the machine up to half a second where
  /// there is much, and what is made to be slow a second, when it is ended.
  case search
  /// Comments that are written or edited.
  case comment
  /// Shares that are counted.
  case share
  /// What is told to the admins.
  case report
  /// Mails that one person has sent to others.
  case mail

  /// Mails that tell one mailbox what was done to an account.
  case notice

  /// The numbers, which are told in `docs/operations.md` and in the contract.
  package var rate: Rate {
    switch self {
    case .registration: Rate(burst: 20, interval: .seconds(180))
    case .password: Rate(burst: 30, interval: .seconds(2))
    case .wrongPassword: Rate(burst: 10, interval: .seconds(360))
    case .passwordReset: Rate(burst: 10, interval: .seconds(180))
    // A phone that was away sends what was done on it all at once.
    case .change: Rate(burst: 600, interval: .milliseconds(100))
    case .settings: Rate(burst: 120, interval: .milliseconds(500))
    case .export: Rate(burst: 5, interval: .seconds(3600))
    case .upload: Rate(burst: 120, interval: .milliseconds(500))
    // The largest picture in pieces of 64 KiB takes 512.
    case .piece: Rate(burst: 1200, interval: .milliseconds(50))
    // Somebody who drags a caption about has one drawn for each frame of the screen.
    case .preview: Rate(burst: 600, interval: .milliseconds(25))
    // Two cores draw about 200 megapixels of JPEG in a second.
    case .render: Rate(burst: 200, interval: .milliseconds(50))
    // Somebody who types has each letter looked for.
    case .search: Rate(burst: 120, interval: .milliseconds(500))
    case .comment: Rate(burst: 60, interval: .seconds(3))
    case .share: Rate(burst: 60, interval: .seconds(1))
    case .report: Rate(burst: 20, interval: .seconds(60))
    case .mail: Rate(burst: 20, interval: .seconds(180))
    case .notice: Rate(burst: 5, interval: .seconds(14_400))
    }
  }

  /// How many times the usual rate a caller has.
  package func share(of caller: Caller) -> Int {
    if case (.render, .person) = (self, caller) { 2 } else { 1 }
  }

  /// As many networks as a site may act for at once, where it pays to have many.
  package static let networksOfSite = 8

  /// What all networks of a site have together; `nil` where each is counted by itself alone.
  package var siteRate: Rate? {
    switch self {
    case .registration, .password, .wrongPassword, .passwordReset, .report, .render:
      Rate(burst: rate.burst * Self.networksOfSite, interval: rate.interval / Self.networksOfSite)
    case .change, .settings, .export, .upload, .piece, .preview, .search, .comment, .share, .mail,
      .notice:
      nil
    }
  }
}
