import Foundation
import Support
import Testing

@testable import MemeMeClient

struct SocialTests {
  @Test func `people follow, find and block each other`() async throws {
    try await withLiveServer { server in
      let ada = try await server.client(of: "ada")
      let bob = try await server.client(of: "bob")
      try await ada.follow("bob")
      try await ada.follow("bob")
      #expect(try await bob.followers(of: "bob").items.map(\.username) == ["ada"])
      #expect(try await bob.following(of: "ada").items.map(\.username) == ["bob"])
      #expect(try await ada.friends().items.isEmpty)
      try await bob.follow("ada")
      #expect(try await ada.friends().items.map(\.username) == ["bob"])
      let profile = try await ada.profile("bob")
      #expect(profile.viewer == Profile.Viewer(follows: true, followedBy: true, blocks: false))
      #expect(profile.counts.followers == 1)
      #expect(try await ada.people(named: "bo").items.map(\.username) == ["bob"])
      try await ada.unfollow("bob")
      #expect(try await ada.friends().items.isEmpty)
      try await ada.block("bob")
      #expect(try await ada.blocked().items.map(\.username) == ["bob"])
      #expect(await failure { _ = try await bob.profile("ada") } == "not-found")
      try await ada.unblock("bob")
      #expect(try await bob.profile("ada").username == "ada")
    }
  }

  @Test func `memes get likes, favorites, comments and notifications`() async throws {
    try await withLiveServer { server in
      let ada = try await server.client(of: "ada")
      let bob = try await server.client(of: "bob")
      let meme = try await ada.publish(MemeDraft(.image(try Fixture.moving.picture), top: "x")).meme
        .id
      try await bob.like(meme)
      try await bob.addFavorite(meme)
      #expect(try await ada.likes(of: meme).items.map(\.username) == ["bob"])
      #expect(try await bob.favorites(as: MemeCell.self).items.map(\.id) == [meme])
      let viewer = try await bob.meme(meme).viewer
      #expect(viewer.liked && viewer.favorited && !viewer.canEdit)

      let comment = try await bob.comment(on: meme, "nice 🐈")
      #expect((comment.text, comment.author?.username, comment.editedAt) == ("nice 🐈", "bob", nil))
      let edited = try await bob.edit(comment.id, "very nice")
      #expect(edited.editedAt != nil)
      #expect(try await ada.comment(comment.id).text == "very nice")
      _ = try await ada.comment(on: meme, "thanks")
      #expect(
        try await ada.comments(about: meme, sort: .oldest).items.map(\.text)
          == ["very nice", "thanks"])
      #expect(try await ada.comments(about: meme, limit: 1).items.map(\.text) == ["thanks"])

      let notifications = try await ada.notifications()
      #expect(notifications.unread == notifications.items.count)
      #expect(Set(notifications.items.map(\.kind)) == [.like, .comment])
      #expect(notifications.items.allSatisfy { $0.actors.map(\.username) == ["bob"] })
      let told = try #require(notifications.items.first { $0.kind == .comment })
      #expect((told.meme?.id, told.comment?.text) == (meme, "very nice"))
      try await ada.readNotifications(through: notifications.items.last?.id)
      #expect(try await ada.notifications().unread == notifications.unread - 1)
      try await ada.readNotifications()
      #expect(try await ada.notifications().unread == 0)
      #expect(try await ada.notifications().page.items.count == 2)

      try await bob.delete(comment.id)
      try await bob.unlike(meme)
      try await bob.removeFavorite(meme)
      let counts = try await ada.meme(meme).counts
      #expect((counts.likes, counts.favorites, counts.comments) == (0, 0, 1))
    }
  }
}
