@testable import Storage

/// A statement of a list page for one kind of viewer, with the plan that it needs.
struct ListStatement: CustomStringConvertible {
  /// The name of its golden file, without the extension.
  let file: String
  /// What the statement reads: the list, the order, the kind of viewer.
  let name: String
  let sql: String
  /// Whether all viewers of the kind have the same text.
  let isShared: Bool
  /// How the statement must read its tables. It reads these tables in no other way, except for ``mayRead``.
  let reads: [TableRead]
  /// Other ways in which the statement may read the same tables.
  let mayRead: [TableRead]
  /// Tables that the statement must not read.
  let avoids: [String]
  /// Why the statement sorts rows; `nil` if its indexes must give the order.
  let sorts: String?

  var description: String { "\(file).sql, \(name)" }

  /// A statement with one text for all viewers.
  init(
    _ file: String, _ name: String, _ sql: String, reads: [TableRead], sorts: String? = nil
  ) {
    (self.file, self.name, self.sql, isShared) = (file, name, sql, true)
    (self.reads, mayRead, avoids, self.sorts) = (reads, [], [], sorts)
  }

  /// A statement for one kind of viewer.
  init(
    _ file: String, _ name: String, for viewer: ViewerKind, _ sql: (AccessPolicy) -> String,
    reads: [TableRead], mayRead: [TableRead] = [], avoids: [String] = [], sorts: String? = nil
  ) {
    (self.file, self.name) = (file, "\(name); \(viewer)")
    let texts = viewer.principals.map { sql(AccessPolicy($0)) }
    self.sql = texts[0]
    isShared = texts.allSatisfy { $0 == texts[0] }
    (self.reads, self.mayRead, self.avoids, self.sorts) = (reads, mayRead, avoids, sorts)
  }

  /// The number of parameters, of which a statement has either numbered or unnumbered ones.
  var parameterCount: Int {
    let rests = sql.split(separator: "?", omittingEmptySubsequences: false).dropFirst()
    let numbers = rests.compactMap { rest in Int(rest.prefix { $0.isWholeNumber }) }
    return numbers.max() ?? rests.count
  }

  /// The statements of all lists.
  static var all: [ListStatement] {
    [
      memes, memeWindows, feed, search, comments, notifications, relations, reactions, reports,
      others,
    ].flatMap { $0 }
  }
}
