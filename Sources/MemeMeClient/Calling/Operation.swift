/// Every operation of the API that the client uses: its method and its path pattern.
///
/// Every call is created from one of these, and a test compares the list with `openapi.yaml`.
enum Operation: String, CaseIterable, Sendable {
  // Memes
  case createMeme = "POST /memes"
  case previewMeme = "POST /memes/preview"
  case listMemes = "GET /memes"
  case listTags = "GET /tags"
  case getFeed = "GET /feed"
  case getMeme = "GET /memes/{id}"
  case editMeme = "PATCH /memes/{id}"
  case deleteMeme = "DELETE /memes/{id}"
  case listRemixes = "GET /memes/{id}/remixes"
  case restoreMeme = "POST /memes/{id}/restore"
  case claimMeme = "POST /memes/{id}/claim"
  case getMemeImage = "GET /memes/{id}/image"
  case getMemeThumbnail = "GET /memes/{id}/thumbnail"
  case getMemeOriginal = "GET /memes/{id}/original"

  // Sharing
  case getShareLinks = "GET /memes/{id}/share"
  case shareMeme = "POST /memes/{id}/shares"

  // Likes, favorites, comments
  case likeMeme = "PUT /memes/{id}/like"
  case unlikeMeme = "DELETE /memes/{id}/like"
  case listLikes = "GET /memes/{id}/likes"
  case favoriteMeme = "PUT /memes/{id}/favorite"
  case unfavoriteMeme = "DELETE /memes/{id}/favorite"
  case listFavorites = "GET /users/me/favorites"
  case listComments = "GET /memes/{id}/comments"
  case writeComment = "POST /memes/{id}/comments"
  case getComment = "GET /comments/{id}"
  case editComment = "PATCH /comments/{id}"
  case deleteComment = "DELETE /comments/{id}"

  // Reports
  case reportMeme = "POST /memes/{id}/reports"
  case reportComment = "POST /comments/{id}/reports"
  case reportPerson = "POST /users/{username}/reports"

  // Pictures to make memes from
  case createUpload = "POST /uploads"
  case getUpload = "GET /uploads/{id}"
  case appendToUpload = "PATCH /uploads/{id}"
  case deleteUpload = "DELETE /uploads/{id}"
  case createTemplate = "POST /templates"
  case listTemplates = "GET /templates"
  case getTemplate = "GET /templates/{id}"
  case editTemplate = "PATCH /templates/{id}"
  case deleteTemplate = "DELETE /templates/{id}"
  case getTemplateImage = "GET /templates/{id}/image"
  case getTemplateThumbnail = "GET /templates/{id}/thumbnail"
  case createLink = "POST /links"
  case listFonts = "GET /fonts"
  case getFontSample = "GET /fonts/{id}/sample"
  case getFontFile = "GET /fonts/{id}/file"

  // People
  case register = "POST /users"
  case findUsers = "GET /users"
  case getUser = "GET /users/{username}"
  case listMemesOfUser = "GET /users/{username}/memes"
  case getAvatar = "GET /users/{username}/avatar"
  case followUser = "PUT /users/{username}/follow"
  case unfollowUser = "DELETE /users/{username}/follow"
  case listFollowers = "GET /users/{username}/followers"
  case listFollowing = "GET /users/{username}/following"
  case listFriends = "GET /users/me/friends"
  case blockUser = "PUT /users/{username}/block"
  case unblockUser = "DELETE /users/{username}/block"
  case listBlocks = "GET /users/me/blocks"

  // Invitations
  case createInvitation = "POST /invitations"
  case listInvitations = "GET /invitations"
  case deleteInvitation = "DELETE /invitations/{id}"

  // Access tokens
  case createAccessToken = "POST /users/me/tokens"
  case listAccessTokens = "GET /users/me/tokens"
  case deleteAccessToken = "DELETE /users/me/tokens/{id}"
  case linkApp = "POST /auth/{app}"

  // Connections
  case createConnection = "POST /connections"
  case listConnections = "GET /connections"
  case getConnection = "GET /connections/{id}"
  case updateConnection = "PATCH /connections/{id}"
  case deleteConnection = "DELETE /connections/{id}"
  case changeConnectionSecret = "PUT /connections/{id}/secret"
  case pauseConnection = "POST /connections/{id}/actions/pause"
  case resumeConnection = "POST /connections/{id}/actions/resume"
  case restartConnection = "POST /connections/{id}/actions/restart"
  case exportConnection = "GET /connections/{id}/actions/export"
  case importConnection = "POST /connections/{id}/actions/import"
  case createMapping = "POST /connections/{id}/mappings"
  case getMapping = "GET /mappings/{id}"
  case replaceMapping = "PUT /mappings/{id}"
  case deleteMapping = "DELETE /mappings/{id}"
  case reloadMapping = "POST /mappings/{id}/actions/reload"
  case listDeliveries = "GET /connections/{id}/deliveries"
  case retryDelivery = "POST /deliveries/{id}/actions/retry"

  // The second factor
  case beginSecondFactor = "POST /users/me/totp"
  case turnOnSecondFactor = "PUT /users/me/totp"
  case turnOffSecondFactor = "DELETE /users/me/totp"
  case renewRecoveryCodes = "POST /users/me/totp/recovery-codes"

  // Single sign-on
  case listIdentities = "GET /users/me/identities"
  case unlinkIdentity = "DELETE /users/me/identities/{id}"

  // Account and sessions
  case signIn = "POST /sessions"
  case listSessions = "GET /sessions"
  case signOut = "DELETE /sessions/{session}"
  case signOutEverywhere = "DELETE /sessions"
  case requestPasswordReset = "POST /password-resets"
  case resetPassword = "PUT /password-resets/{token}"
  case changePassword = "PUT /users/me/password"
  case getOwnAccount = "GET /users/me"
  case getOwnUsage = "GET /users/me/usage"
  case sendEmailConfirmation = "POST /users/me/email-confirmation"
  case confirmEmail = "POST /email-confirmations"
  case editOwnAccount = "PATCH /users/me"
  case deleteOwnAccount = "DELETE /users/me"
  case setAvatar = "PUT /users/me/avatar"
  case removeAvatar = "DELETE /users/me/avatar"
  case getSettings = "GET /users/me/settings"
  case replaceSettings = "PUT /users/me/settings"
  case editSettings = "PATCH /users/me/settings"
  case exportAccount = "POST /users/me/export"
  case listNotifications = "GET /notifications"
  case readNotifications = "PUT /notifications/read"

  // Changes
  case listChanges = "GET /memes/changes"
  case followChanges = "GET /memes/events"

  // Admins
  case deleteMemes = "DELETE /memes"
  case deleteTemplates = "DELETE /templates"
  case listAccounts = "GET /admin/users"
  case getAccount = "GET /admin/users/{username}"
  case changeAccount = "PATCH /admin/users/{username}"
  case deleteAccountOf = "DELETE /admin/users/{username}"
  case createResetLink = "POST /admin/users/{username}/password-reset"
  case suspend = "PUT /admin/users/{username}/suspension"
  case unsuspend = "DELETE /admin/users/{username}/suspension"
  case listAdminActs = "GET /admin/audit"
  case listReports = "GET /admin/reports"
  case decideReport = "PATCH /admin/reports/{id}"
  case getStatistics = "GET /admin/stats"
  case getUsage = "GET /admin/usage"
  case listBackups = "GET /admin/backups"
  case createBackup = "POST /admin/backups"
  case getBackup = "GET /admin/backups/{id}"
  case deleteBackup = "DELETE /admin/backups/{id}"
  case downloadBackup = "GET /admin/backups/{id}/file"

  // The server
  case getHealth = "GET /healthz"
  case getReadiness = "GET /readyz"

  var method: String { String(rawValue.prefix { $0 != " " }) }

  /// The path relative to the server's URL, with a placeholder in braces for each argument.
  var pattern: Substring { rawValue.drop { $0 != " " }.dropFirst() }

  /// Whether the request can be repeated without further effect and with the same response.
  var isRepeatable: Bool {
    switch self {
    // A preview only reads, although its method is POST.
    case .previewMeme: true
    // The first request invalidates the input of the second: the password, the reset link or the account.
    case .changePassword, .resetPassword, .deleteOwnAccount: false
    // A code is good once, and a lost response had the recovery codes.
    case .turnOnSecondFactor, .turnOffSecondFactor: false
    // The server keeps one earlier secret: a repetition would end the one that the receiver has.
    case .changeConnectionSecret: false
    // A repeated request matches a new set of objects and reports another number.
    case .deleteMemes, .deleteTemplates: false
    default: ["GET", "PUT", "DELETE"].contains(method)
    }
  }
}
