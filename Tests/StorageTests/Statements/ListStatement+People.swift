import Foundation
import Memes

@testable import Storage

// The lists of people, and the searches.

extension ListStatement {
  static var relations: [ListStatement] {
    let name = Username(stored: "ada")
    let person = UserID(UUID())
    let lists: [(name: String, UserList, [ViewerKind], index: String, column: String)] = [
      (
        "followers of a person", .followers(of: name), ViewerKind.allCases, "follows_of_followed",
        "followed"
      ),
      (
        "people whom a person follows", .following(by: name), ViewerKind.allCases,
        "follows_of_follower", "follower"
      ),
      (
        "friends of the viewer", .friends(of: person), [.person, .admin], "follows_of_follower",
        "follower"
      ),
      (
        "people whom the viewer blocks", .blocked(by: person), [.person, .admin],
        "blocks_of_blocker", "blocker"
      ),
    ]
    var statements: [ListStatement] = []
    for (name, list, viewers, index, column) in lists {
      for viewer in viewers {
        let window = RelationStore.stretch(list, AccessPolicy(viewer.principals[0]))
        let range = window == nil ? "seq<?" : "seq>? AND seq<?"
        statements.append(
          ListStatement(
            "relations", name, for: viewer, { RelationStore.query(list, $0) },
            reads: [.index(index, of: "link", "\(column)=? AND \(range)")]))
        guard let window else { continue }
        statements.append(
          ListStatement(
            "relations", "\(name), the end of the scan window", window.query,
            reads: [.index(index, of: "link", "\(column)=? AND seq<?")]))
      }
    }
    return statements
  }

  static var search: [ListStatement] {
    var statements = [
      ListStatement(
        "search", "memes that match words, newest first", MemeStore.matchQuery(.newest),
        reads: [.virtual("64:M3>", of: "meme_words")]),
      ListStatement(
        "search", "memes that match words, oldest first", MemeStore.matchQuery(.oldest),
        reads: [.virtual("192:M3<", of: "meme_words")]),
      ListStatement(
        "search", "popular memes", MemeStore.popularQuery,
        reads: [.index("memes_popular", of: "memes", "popularity<?")]),
      ListStatement(
        "search", "people with the prefix of a word", RelationStore.wordQuery,
        reads: [.key(of: "user_words", "kind=? AND (word,user)>(?,?) AND word<?")]),
    ]
    for viewer in ViewerKind.allCases {
      statements.append(
        ListStatement(
          "search", "given people", for: viewer, { RelationStore.shownQuery[$0] },
          reads: [
            .virtual("1:", of: "wanted"), .row(of: "users"),
            .index(
              "user_words_of_user", of: "user_words", "user=? AND kind=? AND word>? AND word<?"),
          ],
          // The number of the viewer.
          mayRead: [.index("sqlite_autoindex_users_1", of: "users")]))
    }
    return statements
  }
}
