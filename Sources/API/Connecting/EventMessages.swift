package import Bytes
import HTTP
package import Memes
package import Storage

/// Writes the bodies of deliveries, from the data at that time.
package struct EventMessages: Sendable {
  private let memes: MemeStore
  private let comments: CommentStore
  private let reports: ReportStore
  private let address: PublicAddress
  private let allowsAnonymous: Bool

  /// - Parameter allowsAnonymous: whether chats, which have no account, can fetch the pictures of public memes.
  package init(
    memes: MemeStore, comments: CommentStore, reports: ReportStore, address: PublicAddress,
    allowsAnonymous: Bool
  ) {
    (self.memes, self.comments, self.reports) = (memes, comments, reports)
    (self.address, self.allowsAnonymous) = (address, allowsAnonymous)
  }

  /// The body of a delivery in the format of the mapping.
  package func body(of event: Event, for connection: DueConnection) async throws -> Bytes {
    let subject = try await subject(of: event, for: connection)
    switch event.terms.format {
    case .json: return json(event, subject)
    case .slack: return message(event, subject).slack
    case .discord: return message(event, subject).discord
    }
  }

  private func message(_ event: Event, _ subject: Subject) -> ChatMessage {
    ChatMessage(event, subject, address, showsPictures: allowsAnonymous)
  }

  /// What an event is about. Each part is `nil` if the event has none, or if it is gone.
  struct Subject: Sendable {
    var meme: Meme?
    var comment: Comment?
    var report: Report?
    /// As whom the parts were read.
    let viewer: Principal
  }

  private func subject(
    of event: Event, for connection: DueConnection
  ) async throws -> Subject {
    // A connection for all sees what strangers see.
    let viewer: Principal = connection.scope == .all ? .anonymous : .person(connection.owner)
    var subject = Subject(viewer: viewer)
    if let id = event.meme, event.kind != .memeDeleted {
      subject.meme = try await present { try await memes.meme(id, for: viewer) }
      if let meme = subject.meme, !event.terms.matches(meme, of: connection) { subject.meme = nil }
    }
    // An event names no one who blocks the owner, although the owner sees the comments of such people.
    if let id = event.comment, subject.meme != nil, event.actor != nil {
      subject.comment = try await present { try await comments.comment(id, for: viewer) }
    }
    if event.kind == .reportCreated {
      subject.report = try await reports.report(ReportID(event.subject))
    }
    return subject
  }

  /// - Returns: `nil` if it does not exist.
  private func present<Value>(_ read: () async throws -> Value) async throws -> Value? {
    do { return try await read() } catch MemeError.notFound { return nil } catch MemeError.gone {
      return nil
    }
  }

  private func json(_ event: Event, _ subject: Subject) -> Bytes {
    var json = JSONWriter(capacity: 4096)
    json.object { json in
      json.member("type", event.kind.rawValue)
      json.member("timestamp", event.happenedAt.description)
      json.object("data") { write(event, subject, to: &$0) }
    }
    return json.finish()
  }

  private func write(_ event: Event, _ subject: Subject, to json: inout JSONWriter) {
    let root = address.root
    if let id = event.meme {
      json.member("memeId", id.description)
      if let meme = subject.meme {
        json.name("meme")
        MemeJSON(basePath: root).write(
          meme, for: subject.viewer, event.terms.fields ?? .all, to: &json)
      } else {
        json.null("meme")
      }
    }
    switch event.kind {
    case .memeCreated, .memeUpdated, .memeDeleted: json.member("reloaded", event.isReload)
    case .commentCreated:
      guard let comment = subject.comment else { return json.null("comment") }
      json.object("comment") { json in
        json.member("id", comment.id.description)
        json.member("text", comment.text.text)
        MemeJSON(basePath: root).write(comment.author, to: &json)
        json.member("createdAt", comment.createdAt.description)
      }
    // The viewer may not see who likes a meme that is hidden from them.
    case .likeCreated: write("user", subject.meme == nil ? nil : event.actor, to: &json)
    case .followCreated:
      write("follower", event.actor, to: &json)
      write("followed", event.person, to: &json)
    case .reportCreated:
      guard let report = subject.report else { return json.null("report") }
      json.name("report")
      ReportJSON(basePath: root).write(report, to: &json)
    case .userCreated: write("user", event.person, to: &json)
    }
  }

  private func write(_ name: StaticString, _ person: Author?, to json: inout JSONWriter) {
    guard let person else { return json.null(name) }
    json.name(name)
    UserJSON(basePath: address.root).author(person, to: &json)
  }
}

extension Mapping.Terms {
  /// Whether the meme matches the mapping now.
  fileprivate func matches(_ meme: Meme, of connection: DueConnection) -> Bool {
    if let tag = filter.tag, !meme.tags.contains(tag) { return false }
    return switch connection.scope {
    case .own:
      meme.author?.id == connection.owner
        && (filter.visibility == nil || filter.visibility == meme.visibility)
    case .all:
      meme.visibility == .public
        && (filter.author == nil || filter.author == meme.author?.username)
    }
  }
}
