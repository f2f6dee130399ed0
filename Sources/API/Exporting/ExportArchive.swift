import Archive
import Bytes
import HTTP
import Memes

/// Builds the ZIP archive of a user's data. Used by one task at a time.
final class ExportArchive {
  /// The name of the archive without its extension, and of the folder in it.
  let name: String
  private let zip: ZIPWriter
  private let viewer: Principal
  private let current: SessionID?
  private let basePath: String

  /// - Parameters:
  ///   - credential: the session or access token of the request.
  ///   - time: the date of the archive and of its files.
  init(
    of username: Username, by credential: Credential, at time: Timestamp, basePath: String,
    in place: SpoolPlace
  ) {
    // The date in the form of RFC 3339.
    name = "mememe-\(username)-\(time.description.prefix(10))"
    zip = ZIPWriter(into: Spool(in: place), date: time.millisecondsSince1970 / 1000)
    (viewer, self.basePath) = (.person(credential.person), basePath)
    current = if case .session(let session) = credential { session.id } else { nil }
  }

  func add(_ thing: ExportedThing) throws(Spool.Failure) {
    switch thing {
    case .account(let user, let factor):
      try add("account.json") { UserJSON(basePath: basePath).own(user, factor, to: &$0) }
    case .settings(let settings):
      try add("settings.json") { SettingsJSON.write(settings, to: &$0) }
    case .sessions(let sessions, let lifetime):
      try add("sessions.json") { json in
        SessionJSON.list(sessions, lifetime: lifetime, current: current, to: &json)
      }
    case .tokens(let tokens):
      try add("tokens.json") { AccessTokenJSON.list(tokens, to: &$0) }
    case .connections(let connections):
      try add("connections.json") { ConnectionJSON.list(connections, to: &$0) }
    case .identities(let identities, let hasPassword):
      try add("identities.json") { json in
        IdentityJSON.list(identities, hasPassword: hasPassword, to: &json)
      }
    case .people(let kind, let names):
      try add("\(kind.rawValue).json") { Self.write(names, to: &$0) }
    case .reactions(let reaction, let memes, let part):
      let name = reaction == .like ? "likes" : "favorites"
      try add("\(name)-\(part).json") { Self.write(memes, to: &$0) }
    case .comments(let comments, let part):
      let writer = CommentJSON(basePath: basePath)
      try add("comments-\(part).json") { json in
        json.object { json in
          json.array("items") { json in
            for comment in comments { writer.write(comment, to: &json) }
          }
        }
      }
    case .reports(let reports, let part):
      try add("reports-\(part).json") { ReportJSON.write(reports, to: &$0) }
    case .invitations(let invitations, let part):
      try add("invitations-\(part).json") { json in
        json.object { json in
          json.array("items") { json in
            for invitation in invitations {
              json.object { InvitationJSON.write(invitation, to: &$0) }
            }
          }
        }
      }
    case .avatar(let file): try add(file, as: "avatar")
    case .meme(let meme, let original, let image, let boxed):
      let folder = "memes/\(meme.id)"
      try add("\(folder)/meme.json") { json in
        MemeJSON(basePath: basePath).write(meme, for: viewer, to: &json)
      }
      try add(original, as: "\(folder)/original")
      try add(image, as: "\(folder)/image")
      for (index, file) in boxed.enumerated() {
        try add(file, as: "\(folder)/picture-\(index + 1)")
      }
    case .template(let template, let picture):
      let folder = "templates/\(template.id)"
      try add("\(folder)/template.json") { json in
        TemplateJSON(basePath: basePath).write(template, to: &json)
      }
      try add(picture, as: "\(folder)/image")
    }
  }

  /// Returns the complete archive. Call this method last.
  func finish() throws(Spool.Failure) -> Bytes { try zip.finish() }

  private func add(
    _ path: String, _ write: (inout JSONWriter) -> Void
  ) throws(Spool.Failure) {
    var json = JSONWriter()
    write(&json)
    try zip.add("\(name)/\(path)", json.finish())
  }

  private func add(_ file: PictureFile, as path: String) throws(Spool.Failure) {
    try zip.add("\(name)/\(file.facts.format.fileName(path))", file.bytes)
  }

  private static func write(_ memes: [ReactedMeme], to json: inout JSONWriter) {
    json.object { json in
      json.array("items") { json in
        for reacted in memes {
          json.object { json in
            json.member("meme", reacted.meme.description)
            json.member("createdAt", reacted.at.description)
          }
        }
      }
    }
  }

  /// Writes only the usernames of other users: their remaining data is not part of the export.
  private static func write(_ names: [Username], to json: inout JSONWriter) {
    json.object { json in
      json.array("items") { json in
        for name in names { json.object { $0.member("username", name.text) } }
      }
    }
  }
}
