import Memes

@testable import Storage

// Comments, reactions, notifications and reports, and the lists of a single viewer.

extension ListStatement {
  static var comments: [ListStatement] {
    var statements: [ListStatement] = []
    for order in CommentOrder.allCases {
      let query = order == .newest ? CommentStore.newestQuery : CommentStore.oldestQuery
      let after = order == .newest ? "rowid<?" : "rowid>?"
      for viewer in ViewerKind.allCases {
        let range = viewer == .person ? "rowid>? AND rowid<?" : after
        statements.append(
          ListStatement(
            "comments", "comments on a meme, \(order) first", for: viewer, { query[$0] },
            reads: [
              .index("comments_of_meme", of: "comments", "meme=? AND deleted_at=? AND \(range)"),
              .row(of: "author"), .row(of: "memes"),
            ]))
      }
      statements.append(
        ListStatement(
          "comments", "comments on a meme, \(order) first, the end of the scan window",
          CommentStore.stretch(order).query,
          reads: [
            .index("comments_of_meme", of: "comments", "meme=? AND deleted_at=? AND \(after)")
          ]))
    }
    for viewer in ViewerKind.allCases {
      statements.append(
        ListStatement(
          "comments", "one comment", for: viewer, { commentQuery[$0] },
          reads: [.index("sqlite_autoindex_comments_1", of: "comments", "id=?")]))
    }
    statements.append(
      ListStatement(
        "comments", "comments of a person", CommentStore.personsQuery,
        reads: [.index("comments_of_user", of: "comments", "user=? AND meme<?")]))
    return statements
  }

  static var reactions: [ListStatement] {
    var statements: [ListStatement] = []
    for viewer in ViewerKind.allCases {
      let range = viewer == .person ? "rowid>? AND rowid<?" : "rowid<?"
      statements.append(
        ListStatement(
          "reactions", "people who like a meme", for: viewer, { ReactionStore.likersQuery[$0] },
          reads: [.index("likes_of_meme", of: "likes", "meme=? AND \(range)")]))
    }
    statements.append(
      ListStatement(
        "reactions", "people who like a meme, the end of the scan window",
        ReactionStore.likersStretch.query,
        reads: [.index("likes_of_meme", of: "likes", "meme=? AND rowid<?")]))
    for reaction in Reaction.allCases {
      statements.append(
        ListStatement(
          "reactions", "memes with a \(reaction) of a person", ReactionStore.memesQuery(reaction),
          reads: [
            .index("\(reaction.table)_once", of: "marks", "user=? AND meme<?"), .row(of: "memes"),
          ]))
    }
    return statements
  }

  static var notifications: [ListStatement] {
    var statements: [ListStatement] = []
    for viewer in [ViewerKind.person, .admin] {
      let window = NotificationStore.stretch(AccessPolicy(viewer.principals[0]))
      let range = window == nil ? "place<?" : "place>? AND place<?"
      statements.append(
        ListStatement(
          "notifications", "notifications, newest first", for: viewer,
          { NotificationStore.pageQuery[$0] },
          reads: [
            .key(of: "notices", "user=? AND \(range)"),
            .row(of: "memes"), .key(of: "pictures", "meme=? AND role=?"),
          ]))
      statements.append(
        ListStatement(
          "notifications", "number of unread notifications", for: viewer,
          { NotificationStore.unreadQuery[$0] },
          reads: [.index("notifications_unread", of: "notices", "user=?")]))
      guard let window else { continue }
      statements.append(
        ListStatement(
          "notifications", "notifications, the end of the scan window", window.query,
          reads: [.key(of: "notices", "user=? AND place<?")]))
    }
    return statements + [
      ListStatement(
        "notifications", "mark as read", NotificationStore.readStatement,
        reads: [.index("notifications_unread", of: "notifications", "user=?")]),
      ListStatement(
        "notifications", "delete old records of withdrawn activity",
        NotificationStore.forgetStatement,
        reads: [
          .index("taken_back_by_time", of: "taken_back", "at<?"),
          .key(of: "taken_back", "actor=? AND kind=? AND subject=?"),
        ]),
    ]
  }

  static var reports: [ListStatement] {
    [
      ListStatement(
        "reports", "reports with a status, newest first", ReportStore.queueQuery,
        reads: [.index("reports_by_status", of: "reports", "status=? AND rowid<?")]),
      ListStatement(
        "reports", "reports of a person, newest first", ReportStore.ownQuery,
        reads: [.index("reports_of_reporter", of: "reports", "reporter=? AND rowid<?")]),
      ListStatement(
        "reports", "other open reports on a subject", ReportStore.openOnesQuery,
        reads: [
          .index("reports_of_subject", of: "reports", "subject=? AND status=?"),
          .index("sqlite_autoindex_reports_1", of: "reports", "id=?"),
        ]),
      ListStatement(
        "reports", "change the reason of a person's open report", ReportStore.renewStatement,
        reads: [
          .index("reports_open", of: "reports", "reporter=? AND subject=?"), .row(of: "reports"),
        ]),
      ListStatement(
        "reports", "open anonymous reports on a subject", ReportStore.nobodysQuery,
        reads: [.index("reports_of_nobody", of: "reports", "subject=?")]),
    ]
  }

  /// The lists of a single viewer.
  static var others: [ListStatement] {
    [
      ListStatement(
        "sync", "changes of a person's memes", MemeStore.changesQuery,
        reads: [
          .index("changes_there", of: "changes", "author=? AND number>?"),
          .index("changes_deleted", of: "changes", "author=? AND number>?"),
        ]),
      ListStatement(
        "exports", "memes of an export, oldest first", MemeCollection.pageQuery,
        reads: [.index("memes_by_time", of: "memes", "created_at>?")]),
      ListStatement(
        "sessions", "sessions of a person, last used first", SessionStore.listQuery,
        reads: [
          .index("sqlite_autoindex_users_1", of: "users", "id=?"),
          .index("sessions_of_user", of: "s", "user=? AND last_used_at>?"),
        ]),
    ]
  }
}
