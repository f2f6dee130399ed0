package import Foundation

/// The ID of a report.
package struct ReportID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A report of content or of a person, as admins see it.
package struct Report: Sendable, Equatable {
  /// The maximum of ``openOnSubject``. A value of this size means "this many or more".
  package static let maximumCount = 1000
  /// The maximum number of open anonymous reports on the same subject.
  package static let maximumAnonymous = 100

  /// The status of a report.
  package enum Status: String, CaseIterable, Sendable {
    case open
    /// An admin took action.
    case resolved
    /// An admin decided that no action is needed.
    case dismissed
  }

  package let id: ReportID
  package let subject: Subject
  package let reason: ReportReason
  /// `nil` if the report is anonymous, or the account was deleted.
  package let reporter: Author?
  package let createdAt: Timestamp
  package let status: Status
  /// An admin's note.
  package let note: ReportNote?
  /// `nil` while the report is open.
  package let closing: Closing?
  /// The number of open reports on the same subject.
  package let openOnSubject: Int

  package init(
    id: ReportID, subject: Subject, reason: ReportReason, reporter: Author?, createdAt: Timestamp,
    status: Status, note: ReportNote?, closing: Closing?, openOnSubject: Int
  ) {
    (self.id, self.subject, self.reason, self.reporter) = (id, subject, reason, reporter)
    (self.createdAt, self.status, self.note) = (createdAt, status, note)
    (self.closing, self.openOnSubject) = (closing, openOnSubject)
  }

  /// The reported subject in its current state.
  package struct Subject: Sendable, Equatable {
    package let name: SubjectName
    /// The author of the content, or the reported person; `nil` if the content is anonymous or was deleted.
    package let author: Author?
    /// The reported meme, or the meme of the reported comment; `nil` if it was deleted or the subject is a person.
    package let meme: GridCell?
    /// The text of the reported comment; `nil` if it was deleted or the subject is not a comment.
    package let text: String?

    package init(name: SubjectName, author: Author?, meme: GridCell?, text: String?) {
      (self.name, self.author, self.meme, self.text) = (name, author, meme, text)
    }

    /// Whether the content or the account was deleted.
    package var isGone: Bool {
      switch name {
      case .meme, .comment: meme == nil
      case .person: author == nil
      }
    }
  }

  /// The admin who closed the report, and the time.
  package struct Closing: Sendable, Equatable {
    package let at: Timestamp
    /// The kind of authority: `token` or `person`.
    package let actor: String
    /// The admin's username at that time; `nil` for the admin token.
    package let username: String?

    package init(at time: Timestamp, actor: String, username: String?) {
      (at, self.actor, self.username) = (time, actor, username)
    }
  }
}

/// The identifier of a reported subject. It remains valid after the subject is deleted.
package enum SubjectName: Hashable, Sendable {
  case meme(MemeID)
  case comment(CommentID)
  case person(Username)
}

/// The part of a new report that its reporter receives.
package struct FiledReport: Sendable, Equatable {
  package let id: ReportID
  package let createdAt: Timestamp

  package init(id: ReportID, createdAt: Timestamp) { (self.id, self.createdAt) = (id, createdAt) }
}

/// A report in its reporter's data export.
package struct OwnReport: Sendable, Equatable {
  package let report: FiledReport
  /// `nil` if it is a person whom the reporter may not see now.
  package let subject: SubjectName?
  package let reason: ReportReason

  package init(_ report: FiledReport, on subject: SubjectName?, because reason: ReportReason) {
    (self.report, self.subject, self.reason) = (report, subject, reason)
  }
}
