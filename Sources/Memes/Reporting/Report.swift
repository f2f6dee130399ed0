package import Foundation

/// Names one report.
package struct ReportID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// Something that somebody wants the admins to look at, as admins see it.
package struct Report: Sendable, Equatable {
  /// ``openOnSubject`` is no more than this, and then may stand for more.
  package static let maximumCount = 1000
  /// How many of one thing may be open that nobody who was signed in made.
  package static let maximumOfNobody = 100

  /// What became of it.
  package enum Status: String, CaseIterable, Sendable {
    case open
    /// Something was done about it.
    case resolved
    /// There is nothing to be done about it.
    case dismissed
  }

  package let id: ReportID
  package let subject: Subject
  package let reason: ReportReason
  /// `nil` where nobody was signed in, or who was has left.
  package let reporter: Author?
  package let createdAt: Timestamp
  package let status: Status
  /// What an admin wrote about it.
  package let note: ReportNote?
  /// `nil` while it is open.
  package let closing: Closing?
  /// How many open reports there are on the same thing.
  package let openOnSubject: Int

  package init(
    id: ReportID, subject: Subject, reason: ReportReason, reporter: Author?, createdAt: Timestamp,
    status: Status, note: ReportNote?, closing: Closing?, openOnSubject: Int
  ) {
    (self.id, self.subject, self.reason, self.reporter) = (id, subject, reason, reporter)
    (self.createdAt, self.status, self.note) = (createdAt, status, note)
    (self.closing, self.openOnSubject) = (closing, openOnSubject)
  }

  /// What is reported, as it is now.
  package struct Subject: Sendable, Equatable {
    package let name: SubjectName
    /// Whose it is, or who it is; `nil` for nobody's, and where it is gone.
    package let author: Author?
    /// The meme, or the one that the comment is on; `nil` where it is gone, and for a person.
    package let meme: GridCell?
    /// The comment's; `nil` where it is gone, and for anything else.
    package let text: String?

    package init(name: SubjectName, author: Author?, meme: GridCell?, text: String?) {
      (self.name, self.author, self.meme, self.text) = (name, author, meme, text)
    }

    /// Whether it is deleted, or the person has left.
    package var isGone: Bool {
      switch name {
      case .meme, .comment: meme == nil
      case .person: author == nil
      }
    }
  }

  /// Who closed it, and when.
  package struct Closing: Sendable, Equatable {
    package let at: Timestamp
    /// By what right: `token` or `person`.
    package let actor: String
    /// The name that the admin had; `nil` where it was no person.
    package let username: String?

    package init(at time: Timestamp, actor: String, username: String?) {
      (at, self.actor, self.username) = (time, actor, username)
    }
  }
}

/// What is reported, as it is called: that outlives it.
package enum SubjectName: Hashable, Sendable {
  case meme(MemeID)
  case comment(CommentID)
  case person(Username)
}

/// A report as whoever made it is told of it.
package struct FiledReport: Sendable, Equatable {
  package let id: ReportID
  package let createdAt: Timestamp

  package init(id: ReportID, createdAt: Timestamp) { (self.id, self.createdAt) = (id, createdAt) }
}

/// A report as whoever made it may have it back.
package struct OwnReport: Sendable, Equatable {
  package let report: FiledReport
  package let subject: SubjectName
  package let reason: ReportReason

  package init(_ report: FiledReport, on subject: SubjectName, because reason: ReportReason) {
    (self.report, self.subject, self.reason) = (report, subject, reason)
  }
}
