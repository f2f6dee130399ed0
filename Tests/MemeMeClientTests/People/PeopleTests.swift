import Foundation
import MemeMeClient
import Support
import Testing

struct PeopleTests {
  private static let password = TestServer.password

  @Test func `a person registers, signs in, lists sessions and signs out`() async throws {
    try await withLiveServer { server in
      let nobody = server.client()
      let user = try await nobody.register(
        Registration(
          username: "ada", email: "ada@example.org", password: Self.password, displayName: "Ada 🐈"))
      #expect((user.username, user.displayName) == ("ada", "Ada 🐈"))
      #expect(
        await failure {
          _ = try await nobody.register(
            Registration(username: "ada", email: "b@example.org", password: Self.password))
        } == "username-taken")
      #expect(
        await failure { _ = try await nobody.signIn("ada", password: "wrong") }
          == "wrong-credentials")
      let first = nobody.authorized(
        by: try await nobody.signIn("ada", password: Self.password).token)
      let second = try await nobody.signIn("ada@example.org", password: Self.password)
      #expect(second.expiresAt > .now)
      #expect(second.user == user)
      let client = nobody.authorized(by: second.token)
      let sessions = try await client.sessions()
      #expect(sessions.count == 2)
      let other = try #require(sessions.first { !$0.current })
      try await client.signOut(other.id)
      #expect(await failure { _ = try await first.account() } == "unauthorized")
      try await client.signOut()
      #expect(await failure { _ = try await client.account() } == "unauthorized")
      let third = nobody.authorized(
        by: try await nobody.signIn("ada", password: Self.password).token)
      try await third.signOutEverywhere()
      #expect(await failure { _ = try await third.sessions() } == "unauthorized")
    }
  }

  @Test func `an account is edited, shown, exported and deleted`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      var edit = AccountEdit()
      edit.bio = .set("I like cats")
      edit.displayName = .set("Ada")
      #expect(try await client.editAccount(edit).bio == "I like cats")
      edit = AccountEdit()
      edit.bio = .reset
      let user = try await client.editAccount(edit)
      #expect((user.bio, user.displayName) == (nil, "Ada"))
      let pictured = try await client.setAvatar(try Fixture.photo.picture)
      #expect(pictured.avatarUrl != user.avatarUrl)
      #expect(try await client.avatar(of: "ada", size: 64).mediaType.hasPrefix("image/"))
      try await client.removeAvatar()
      #expect(try await client.account().avatarUrl == user.avatarUrl)

      _ = try await client.publish(MemeDraft(.image(try Fixture.photo.picture), top: "x"))
      let file = server.folder.appending(path: "export.zip")
      try Data("what was there before".utf8).write(to: file)
      try await client.exportAccount(to: file)
      let archive = try Data(contentsOf: file)
      #expect(archive.starts(with: Data("PK".utf8)))
      #expect(archive.count > (try Fixture.photo.bytes.count))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
          .filter { $0.contains("export.zip") } == ["export.zip"])

      #expect(
        await failure { try await client.deleteAccount(password: "wrong") } == "invalid-input")
      try await client.deleteAccount(password: Self.password)
      #expect(await failure { _ = try await client.account() } == "unauthorized")
      #expect(await failure { _ = try await server.client().profile("ada") } == "not-found")
    }
  }

  @Test func `a password is changed, and reset by mail`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      try await client.changePassword(from: Self.password, to: "another long password")
      let nobody = server.client()
      _ = try await nobody.signIn("ada", password: "another long password")
      try await nobody.requestPasswordReset(email: "nobody@example.org")
      try await nobody.requestPasswordReset(email: "ada@example.org")
      let mail = try #require(try await server.mails(1).last)
      let link = try #require(mail.firstMatch(of: /\/reset-password#([A-Za-z0-9_-]{43})\n/))
      let token = Token(String(link.1))
      try await nobody.resetPassword(token, to: "a third long password")
      _ = try await nobody.signIn("ada", password: "a third long password")
      #expect(
        await failure { try await nobody.resetPassword(token, to: "a fourth long password") }
          == "invalid-reset")
    }
  }

  @Test func `settings are changed one by one and all at once`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let standard = try await client.settings()
      #expect(standard.theme == .system)
      var edit = SettingsEdit()
      edit.theme = .set(.dark)
      edit.accessibility = .set(Settings.Accessibility(textScale: 1.5))
      var captions = Settings.Captions()
      captions.font = "comic"
      edit.captions = .set(captions)
      edit.visibility = .set(.friends)
      let set = try await client.editSettings(edit)
      #expect((set.theme, set.visibility) == (.dark, .friends))
      #expect(set.accessibility?.textScale == 1.5)
      #expect(set.accessibility?.highContrast == standard.accessibility?.highContrast)
      #expect(set.captions?.font == "comic")
      #expect(try await client.settings() == set)
      var fresh = Settings()
      fresh.notifications = Settings.Notifications(likes: false)
      let replaced = try await client.replaceSettings(fresh)
      #expect(replaced.theme == standard.theme)
      #expect(replaced.notifications?.likes == false)
      #expect(replaced.notifications?.comments == standard.notifications?.comments)
    }
  }
}
