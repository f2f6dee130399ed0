import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// How comments are stored.
struct CommentStoreTests {
  private let time = Timestamp(millisecondsSince1970: 7)

  @discardableResult
  private func write(
    _ text: String, on meme: MemeID, by author: Author, in store: Scratch
  ) async throws -> Memes.Comment {
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: meme, version: 1, author: author, text: try CommentText(text),
      createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    let first = try await CommentStore(store.database).insert(
      comment, by: .person(author.id), recording: nil)
    #expect(first == nil)
    return comment
  }

  @Test func `a deleted comment keeps its place and loses its text`() async throws {
    try await withStore { store in
      let comments = CommentStore(store.database)
      let ada = try await store.person("ada")
      let meme = try await store.make(by: ada)
      let comment = try await write("canary", on: meme, by: ada, in: store)
      #expect(try await comments.comment(comment.id, for: .person(ada.id)) == comment)
      try await comments.delete(
        comment.id, if: .any, by: .person(ada.id), at: time, recording: nil)
      #expect(try store.database.integer("SELECT count(*) FROM comments WHERE text = ''") == 1)
      #expect(try store.database.integer("SELECT comment_count FROM memes") == 0)
      #expect(
        await failure {
          _ = try await comments.comment(comment.id, for: .anonymous)
        } == "gone")
    }
  }

  /// The account can be deleted after the request was authenticated.
  @Test func `a viewer whose account was deleted reads comments and deletes none`() async throws {
    try await withStore { store in
      let comments = CommentStore(store.database)
      let ada = try await store.person("ada")
      let viewer = Principal.person(UserID(UUID()))
      for meme in [try await store.make(by: ada), try await store.make()] {
        let comment = try await write("hi", on: meme, by: ada, in: store)
        let page = try await comments.comments(
          on: meme, for: viewer, .newest, after: nil, limit: 10)
        #expect(page.items.map(\.canDelete) == [false])
        #expect(
          await failure {
            try await comments.delete(comment.id, if: .any, by: viewer, at: time, recording: nil)
          } == "forbidden")
      }
    }
  }

  @Test func `all comments of a person are listed once, page by page`() async throws {
    try await withStore { store in
      let comments = CommentStore(store.database)
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let memes = [
        try await store.make(by: ada), try await store.make(by: ada), try await store.make(by: ada),
      ]
      var expected: [CommentID] = []
      for (number, place) in [0, 2, 1, 0, 2, 2, 0].enumerated() {
        try await write("bob's", on: memes[place], by: bob, in: store)
        let comment = try await write("\(number)", on: memes[place], by: ada, in: store)
        if place != 1 { expected.append(comment.id) }
      }
      try await store.memes.delete(memes[1], if: .any, at: time, restorable: false)
      for limit in 1...7 {
        var (found, place): ([CommentID], CommentPlace?) = ([], nil)
        repeat {
          let page = try await comments.comments(by: ada.id, after: place, limit: limit)
          found += page.comments.map(\.id)
          place = page.next
        } while place != nil
        #expect(found.count == expected.count && Set(found) == Set(expected))
      }
    }
  }

  @Test func `pages in either order skip one scan window at a time`() async throws {
    try await withStore { store in
      let comments = CommentStore(store.database)
      let (ada, mal) = (try await store.person("ada"), try await store.person("mal"))
      let meme = try await store.make(by: ada)
      try await write("first", on: meme, by: ada, in: store)
      try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
          INSERT INTO comments (id, meme, user, created_at, text)
          SELECT randomblob(16), (SELECT seq FROM memes), (SELECT seq FROM users WHERE id = ?1), 0, 'x'
          FROM n
          """, mal.id.bytes, 2 * ScanWindow.rows + 500)
      }
      try await write("last", on: meme, by: ada, in: store)
      try await RelationStore(store.database).block(
        mal.username, by: ada.id, at: time)
      for (order, expected) in [
        (CommentOrder.newest, [["last"], [], ["first"]]), (.oldest, [["first"], [], ["last"]]),
      ] {
        var (texts, position): ([[String]], ListPosition?) = ([], nil)
        repeat {
          let page = try await comments.comments(
            on: meme, for: .person(ada.id), order, after: position, limit: 10)
          texts.append(page.items.map(\.text.text))
          position = page.next
        } while position != nil
        #expect(texts == expected)
      }
    }
  }
}
