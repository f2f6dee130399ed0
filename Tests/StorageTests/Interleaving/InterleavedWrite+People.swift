import Bytes
import Foundation
import Memes
import SQL

@testable import Storage

extension InterleavedWrite {
  static func follow(_ back: Bool) -> InterleavedWrite {
    InterleavedWrite(back ? "follow back" : "follow") { database, scene in
      try await RelationStore(database).follow(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  static func block(_ back: Bool) -> InterleavedWrite {
    InterleavedWrite(back ? "block back" : "block") { database, scene in
      try await RelationStore(database).block(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  static func theme(_ theme: PersonalSettings.Theme) -> InterleavedWrite {
    InterleavedWrite("theme \(theme.rawValue)") { database, scene in
      var settings = PersonalSettings()
      settings.theme = theme
      guard
        try await SettingsStore(database).keep(settings, of: scene.ada.id, insteadOf: 0) != nil
      else { throw MemeError.versionMismatch }
    }
  }

  static func reset(_ password: String) -> InterleavedWrite {
    InterleavedWrite("reset to \(password)") { database, scene in
      let user = try await PasswordResetStore(database).reset(
        token: scene.reset, after: Timestamp(millisecondsSince1970: 0),
        to: HashedPassword(password), at: time)
      if user == nil { throw MemeError.notFound }
    }
  }

  static let leave = leave("leave") { $0.bob }
  static let leaveAda = leave("leave as Ada") { $0.ada }

  private static func leave(
    _ name: String, _ person: @escaping @Sendable (InterleavedScene) -> Author
  ) -> InterleavedWrite {
    InterleavedWrite(name) { database, scene in
      let person = person(scene)
      guard
        try await UserStore(database).delete(
          person.id, if: HashedPassword("$\(person.username.text)"), at: time)
      else { throw MemeError.notFound }
    }
  }

  static let unfollow = InterleavedWrite("unfollow") { database, scene in
    try await RelationStore(database).unfollow(scene.bob.username, by: scene.ada.id)
  }

  static let unblock = InterleavedWrite("unblock") { database, scene in
    try await RelationStore(database).unblock(scene.bob.username, by: scene.ada.id)
  }

  static let withdraw = InterleavedWrite("withdraw") { database, scene in
    _ = try await UserStore(database).withdraw(
      scene.bob.id, if: HashedPassword("$\(scene.bob.username.text)"), atMost: 10, at: time)
  }

  static func rename(_ name: String) -> InterleavedWrite {
    InterleavedWrite("rename to \(name)") { database, scene in
      let change = ProfileChange(
        displayName: .set(try DisplayName(name)), biography: nil, email: nil)
      guard try await UserStore(database).change(change, of: scene.ada.id, if: nil, at: time) != nil
      else {
        throw MemeError.notFound
      }
    }
  }

  /// Both people want the same address.
  static func moveMail(ofBob isBob: Bool) -> InterleavedWrite {
    InterleavedWrite(isBob ? "email of Bob" : "email") { database, scene in
      let address = try EmailAddress("new-\(scene.ada.username.text)@example.org")
      let change = ProfileChange(displayName: nil, biography: nil, email: address)
      let person = isBob ? scene.bob : scene.ada
      guard try await UserStore(database).change(change, of: person.id, if: nil, at: time) != nil
      else {
        throw MemeError.notFound
      }
    }
  }

  /// Both people want the same username, which is also that of ``register(_:)``.
  static func changeUsername(ofBob isBob: Bool) -> InterleavedWrite {
    InterleavedWrite(isBob ? "username of Bob" : "username") { database, scene in
      let change = ProfileChange(
        displayName: nil, biography: nil, email: nil,
        username: try Username("new_\(scene.ada.username.text)"))
      let person = isBob ? scene.bob : scene.ada
      guard try await UserStore(database).change(change, of: person.id, if: nil, at: time) != nil
      else { throw MemeError.notFound }
    }
  }

  static func changePassword(_ password: String) -> InterleavedWrite {
    InterleavedWrite("password \(password)") { database, scene in
      let isChanged = try await UserStore(database).setPassword(
        HashedPassword("$\(password)"), of: scene.bob.id,
        insteadOf: HashedPassword("$\(scene.bob.username.text)"), at: time,
        keeping: SessionID(UUID()))
      guard isChanged else { throw MemeError.notFound }
    }
  }

  static let signIn = InterleavedWrite("sign in") { database, scene in
    let session = Session(
      id: SessionID(UUID()), person: scene.bob.id, createdAt: time, lastUsedAt: time, client: nil)
    let insertion = try await sessions(database).insert(
      session, token: scene.network, if: HashedPassword("$\(scene.bob.username.text)"),
      becoming: nil)
    guard insertion != .refused else { throw MemeError.notFound }
  }

  static let signOut = InterleavedWrite("sign out everywhere") { database, scene in
    try await sessions(database).endAll(of: scene.bob.id)
  }

  private static func sessions(_ database: any Database) -> SessionStore {
    SessionStore(database, lifetime: SessionLifetime(idleSeconds: 100, maximumSeconds: 100))
  }

  static func register(_ name: String, asAda: Bool = false) -> InterleavedWrite {
    InterleavedWrite("register \(name)") { database, scene in
      let username =
        asAda ? scene.ada.username : try Username("new_\(scene.ada.username.text)")
      let user = User(
        id: UserID(UUID()), username: username,
        email: try EmailAddress("\(name)-\(scene.ada.username.text)@example.org"),
        displayName: nil, biography: nil, createdAt: time, passwordChangedAt: time)
      do {
        _ = try await UserStore(database).insert(
          Account(user: user, password: HashedPassword("$x")), recording: nil)
      } catch MemeError.emailTaken {
        // If both are taken, the index that is checked first decides.
        throw MemeError.usernameTaken
      }
    }
  }

  /// Registers with the invitation of the scene.
  static func join(_ name: String) -> InterleavedWrite {
    InterleavedWrite("join \(name)") { database, scene in
      let user = User(
        id: UserID(UUID()), username: try Username("\(name)_\(scene.ada.username.text)"),
        email: try EmailAddress("\(name)-\(scene.ada.username.text)@example.org"),
        displayName: nil, biography: nil, createdAt: time, passwordChangedAt: time)
      _ = try await UserStore(database).insert(
        Account(user: user, password: HashedPassword("$x")), invitation: scene.invitation,
        recording: nil)
    }
  }

  static let beginFactor = InterleavedWrite("make a secret") { database, scene in
    let isMade = try await SecondFactorStore(database).begin(
      sealed: [UInt8](repeating: 7, count: 60), of: scene.bob.id,
      if: HashedPassword("$\(scene.bob.username.text)"), in: scene.bobsSession)
    guard isMade else { throw MemeError.notFound }
  }

  /// A single sign-on of an unknown identity. All of them want the same username.
  static func signOn(_ subject: String) -> InterleavedWrite {
    InterleavedWrite(telling: "sign on \(subject)") { database, scene in
      let name = "n_\(scene.ada.username.text)"
      let user = User(
        id: UserID(UUID()), username: try Username(name),
        email: try EmailAddress("\(subject)-\(scene.ada.username.text)@example.org"),
        displayName: nil, biography: nil, createdAt: time, passwordChangedAt: time)
      let made = try await IdentityStore(database).insert(
        Account(user: user, password: .unusable), IdentityID(UUID()),
        identity(subject, scene), usernames: [try Username(name), try Username("\(name)_second")],
        invitation: nil)
      return made.user.username.text.hasSuffix("_second")
    }
  }

  static func link(_ subject: String, toBob: Bool) -> InterleavedWrite {
    InterleavedWrite(telling: "link \(subject)\(toBob ? "" : " to Ada")") { database, scene in
      try await IdentityStore(database).link(
        identity(subject, scene), as: IdentityID(UUID()), of: toBob ? scene.bob.id : scene.ada.id,
        in: toBob ? scene.bobsSession : scene.adasSession, at: time) as Any
    }
  }

  private static func identity(_ subject: String, _ scene: InterleavedScene) -> ProviderIdentity {
    ProviderIdentity(
      issuer: "https://login.example", subject: "\(subject) \(scene.ada.username)")
  }

  /// There is room for one access token.
  static func makeToken(ofBob: Bool) -> InterleavedWrite {
    InterleavedWrite("make token\(ofBob ? "" : " as Ada")") { database, scene in
      let token = AccessToken(
        id: AccessTokenID(UUID()), of: ofBob ? scene.bob.id : scene.ada.id,
        AccessToken.Terms(name: TokenName(stored: "x"), scopes: .app, expiresAt: nil),
        createdAt: time)
      let isMade = try await AccessTokenStore(database).insert(
        token, secret: try InterleavedScene.anyDigest(), if: nil,
        in: ofBob ? scene.bobsSession : scene.adasSession, most: 1)
      guard isMade else { throw MemeError.notFound }
    }
  }

  /// There is room for one invitation.
  static let invite = InterleavedWrite("invite") { database, scene in
    _ = try await InvitationStore(database).insert(
      InterleavedScene.newInvitation(), code: try InterleavedScene.anyDigest(),
      by: .person(scene.bob.id), most: 2, recording: nil)
  }

  /// There is room for one of them.
  static func askForReset(_ name: String) -> InterleavedWrite {
    InterleavedWrite(telling: "ask for a reset \(name)") { database, scene in
      try await PasswordResetStore(database).insert(
        token: try InterleavedScene.anyDigest(),
        for: EmailAddress("\(scene.ada.username.text)@example.org"), at: time,
        after: Timestamp(millisecondsSince1970: 0), most: 2) != nil
    }
  }

  static func avatar(_ byte: UInt8) -> InterleavedWrite {
    InterleavedWrite("avatar \(byte)") { database, scene in
      let facts = PictureFacts(
        size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: 1, digest: try digest(byte))
      let file = PictureFile(facts: facts, bytes: Bytes([byte]))
      let files = Dictionary(uniqueKeysWithValues: AvatarSize.allCases.map { ($0, file) })
      try await AvatarStore(database).keep(Avatar(files: files), of: scene.bob.id)
    }
  }

  static let suspend = InterleavedWrite("suspend") { database, scene in
    try await AccountStatusStore(database).suspend(
      scene.bob.username, because: nil, by: .command, at: time)
  }

  static let unsuspend = InterleavedWrite("unsuspend") { database, scene in
    try await AccountStatusStore(database).unsuspend(scene.bob.username, by: .command, at: time)
  }

  static func give(_ role: Role) -> InterleavedWrite {
    InterleavedWrite("give \(role)") { database, scene in
      try await AccountStatusStore(database).change(
        AccountChange(role: role), of: scene.bob.username, by: .command, at: time)
    }
  }

  static let markRead = InterleavedWrite("mark as read") { database, scene in
    try await NotificationStore(database).markRead(through: nil, by: scene.ada.id)
  }

  static let quiet = InterleavedWrite("no notifications") { database, scene in
    var settings = PersonalSettings()
    settings.notifications.likes = false
    _ = try await SettingsStore(database).keep(settings, of: scene.ada.id, insteadOf: 0)
  }

  static let withdrawReset = InterleavedWrite("withdraw reset") { database, scene in
    try await PasswordResetStore(database).withdraw(token: scene.reset)
  }
}
