package import HTTP
package import Memes

/// Tells who sends a request: by a bearer token, or by the cookie that a browser shows.
package struct Authentication: Sendable {
  private let tokens: any TokenKeeper
  private let anonymous: Bool
  private let people: People?

  /// What it needs to know people by.
  package struct People: Sendable {
    let sessions: Sessions
    let cookie: SessionCookie
    let origin: OwnOrigin

    package init(sessions: Sessions, cookie: SessionCookie, origin: OwnOrigin) {
      (self.sessions, self.cookie, self.origin) = (sessions, cookie, origin)
    }
  }

  /// Who asks.
  struct Asking {
    static let anybody = Asking(viewer: .anonymous, session: nil)

    let viewer: Viewer
    let session: Session?

    init(viewer: Viewer, session: Session?) { (self.viewer, self.session) = (viewer, session) }

    init(_ session: Session) {
      let isAdmin = session.standing.role == .admin
      self.init(
        viewer: isAdmin ? .administrator(session.person) : .person(session.person),
        session: session)
    }
  }

  /// - Parameters:
  ///   - anonymous: whether people without credentials may do anything.
  ///   - people: `nil` where nobody can be signed in.
  package init(tokens: any TokenKeeper, anonymous: Bool, people: People? = nil) {
    (self.tokens, self.anonymous, self.people) = (tokens, anonymous, people)
  }

  /// Whether people without credentials may look at what is public.
  var isForAnybody: Bool { anonymous }

  /// Tells who sent a request, before its body is read. Where a session is shown, this reads one row on the calling thread.
  ///
  /// - Throws: 401 where credentials are missing or wrong, 403 where they will not do.
  func whoSent(
    _ head: RequestHead, to route: Route, _ parameters: Parameters
  ) throws(Problem) -> Asking {
    try whoSent(head, needing: route.access, about: route.subject, parameters)
  }

  /// Tells again whether a person may ask what they ask, who waited for the answer.
  ///
  /// - Returns: the session, as it is now.
  /// - Throws: 401 where the session is over, 403 where the person is suspended.
  @discardableResult
  func confirm(_ call: Call) throws(Problem) -> Session? {
    try whoSent(call.request.head, needing: .person, about: .meme, call.parameters).session
  }

  private func whoSent(
    _ head: RequestHead, needing access: Route.Access, about subject: Route.Subject,
    _ parameters: Parameters
  ) throws(Problem) -> Asking {
    guard access != .open, access != .machine || !head.isFromThisMachine else { return .anybody }
    let asking = try whoShows(head, needing: access, about: subject, parameters)
    switch (access, asking.viewer) {
    case (.viewer, .anonymous) where anonymous: return asking
    case (_, .anonymous): throw Problem(.unauthorized)
    case (.person, .holder), (.person, .admin), (.leaving, .holder), (.leaving, .admin):
      throw Problem.forPeople
    case (.admin, .holder), (.admin, .person), (.machine, .holder), (.machine, .person):
      throw Problem(.forbidden, "This call is for admins.")
    default: return asking
    }
  }

  /// Notes that the session is used.
  func noteUse(of session: Session) async throws(MemeError) {
    try await people?.sessions.noteUse(of: session)
  }

  private func whoShows(
    _ head: RequestHead, needing access: Route.Access, about subject: Route.Subject,
    _ parameters: Parameters
  ) throws(Problem) -> Asking {
    if let token = try BearerToken.read(head.headers)?.text {
      let thing = parameters["id"].flatMap { subject.possession($0) }
      if let viewer = tokens.viewer(showing: token, about: thing) {
        return Asking(viewer: viewer, session: nil)
      }
      guard let session = try session(openedBy: token) else { throw Problem(.unauthorized) }
      guard !session.standing.isSuspended || access == .leaving else {
        throw Problem(.suspended)
      }
      return Asking(session)
    }
    guard let people, case let shown = people.cookie.tokens(in: head.headers),
      let token = shown.first
    else { return .anybody }
    guard head.method.isSafe || people.origin.sent(head.headers) else {
      throw Problem(.crossSite)
    }
    guard shown.count == 1 else {
      // One of them somebody else may have set. The browser is not told to forget one: the other would be left.
      guard head.method.isSafe else {
        throw Problem(.unauthorized, "The request shows more than one cookie of a session.")
      }
      return .anybody
    }
    if let session = try session(openedBy: token) {
      guard session.standing.isSuspended, access != .leaving else { return Asking(session) }
      // A browser shows its cookie whatever it asks for. What is anybody's is theirs too.
      guard head.method.isSafe, access == .viewer else { throw Problem(.suspended) }
      return .anybody
    }
    // A browser shows its cookie after the session is over as well. To look is anybody's; but what somebody means to do as
    // themselves is not done as anybody.
    guard head.method.isSafe else {
      throw Problem(
        .unauthorized, "The session of the cookie is over.",
        headers: Headers([(.setCookie, people.cookie.cleared)]))
    }
    return .anybody
  }

  private func session(openedBy token: String) throws(Problem) -> Session? {
    do throws(MemeError) { return try people?.sessions.session(openedBy: token) } catch {
      throw Problem(error)
    }
  }
}

extension Problem {
  /// 403 for credentials that are no person's.
  static let forPeople = Problem(.forbidden, "This call is for people who are signed in.")
}

extension RequestHead {
  /// Whether it was sent on this machine, and no proxy says that it was not.
  fileprivate var isFromThisMachine: Bool {
    let marks: [HeaderName] = [.xForwardedFor, .forwarded, .via]
    return IPAddress(peer)?.isLoopback == true && marks.allSatisfy { headers[$0] == nil }
  }
}
