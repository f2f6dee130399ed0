import HTTP
import Memes

/// Writes reports: complete for admins, and only the ID and time for the reporter.
struct ReportJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  static func response(_ report: FiledReport, _ status: Status) -> Response {
    .uncached(status) { json in json.object { write(report, to: &$0) } }
  }

  /// Writes a user's own reports, for the export of their data.
  static func write(_ reports: [OwnReport], to json: inout JSONWriter) {
    json.object { json in
      json.array("items") { json in
        for own in reports {
          json.object { json in
            write(own.report, to: &json)
            json.object("subject") { write(own.subject, to: &$0) }
            json.member("reason", own.reason.text)
          }
        }
      }
    }
  }

  func write(_ report: Report, to json: inout JSONWriter) {
    json.object { json in
      Self.write(FiledReport(id: report.id, createdAt: report.createdAt), to: &json)
      json.member("status", report.status.rawValue)
      json.member("reason", report.reason.text)
      write("reporter", report.reporter, to: &json)
      write(report.subject, to: &json)
      json.member("openOnSubject", report.openOnSubject)
      json.member("note", report.note?.text)
      json.member("closedAt", report.closing?.at.description)
      guard let closing = report.closing else { return json.null("closedBy") }
      json.object("closedBy") { json in
        json.member("kind", closing.actor)
        json.member("username", closing.username)
      }
    }
  }

  private func write(_ subject: Report.Subject, to json: inout JSONWriter) {
    json.object("subject") { json in
      Self.write(subject.name, to: &json)
      json.member("gone", subject.isGone)
      write("author", subject.author, to: &json)
      if let meme = subject.meme {
        json.name("meme")
        MemeJSON(basePath: basePath).write(meme, to: &json)
      } else {
        json.null("meme")
      }
      json.member("text", subject.text)
    }
  }

  private func write(_ name: StaticString, _ person: Author?, to json: inout JSONWriter) {
    guard let person else { return json.null(name) }
    json.name(name)
    UserJSON(basePath: basePath).author(person, to: &json)
  }

  private static func write(_ report: FiledReport, to json: inout JSONWriter) {
    json.member("id", report.id.description)
    json.member("createdAt", report.createdAt.description)
  }

  /// - Parameter name: `nil` for a person whose name is hidden.
  private static func write(_ name: SubjectName?, to json: inout JSONWriter) {
    let (kind, id, username): (String, String?, String?) =
      switch name {
      case .meme(let id): ("meme", id.description, nil)
      case .comment(let id): ("comment", id.description, nil)
      case .person(let username): ("person", nil, username.text)
      case nil: ("person", nil, nil)
      }
    json.member("kind", kind)
    json.member("id", id)
    json.member("username", username)
  }
}
