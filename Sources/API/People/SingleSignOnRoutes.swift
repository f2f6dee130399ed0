package import HTTP
import Memes
package import Services

/// Sign-in by an OpenID Connect provider: two addresses that browsers navigate to.
///
/// A browser is always redirected, also after an error, whose code the app shows. Other clients get a problem.
package struct SingleSignOnRoutes: Sendable {
  /// `nil` if the server has no provider.
  private let signOn: SingleSignOn?
  private let cookie: SingleSignOnCookie
  private let session: SessionCookie
  private let address: PublicAddress
  private let basePath: String
  private let report: @Sendable (String, RequestID) -> Void

  /// - Parameters:
  ///   - signOn: `nil` if the server has no provider.
  ///   - report: logs the cause of a failure that a browser is redirected for.
  package init(
    _ signOn: SingleSignOn?, cookie: SingleSignOnCookie, session: SessionCookie,
    address: PublicAddress, context: APIContext,
    report: @escaping @Sendable (String, RequestID) -> Void
  ) {
    (self.signOn, self.cookie, self.session) = (signOn, cookie, session)
    (self.address, basePath, self.report) = (address, context.basePath, report)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/oidc/start", access: .open, limit: .singleSignOn,
        query: ["return", "invitation", "link"], start),
      // Providers add parameters of their own.
      Route(
        .get, "/oidc/callback", access: .open, limit: .singleSignOn,
        query: ["code", "state", "iss", "error"], takesAnyQuery: true, finish),
    ]
  }

  private var redirect: String { "\(address.root)/oidc/callback" }

  private func start(_ call: Call) async throws -> Response {
    guard let signOn else { throw Problem(.notFound) }
    var query = call.query
    let page = query.text("return", Self.page) ?? .home
    let invitation = query.text("invitation", Self.invitation).flatMap(\.self)
    let ticket = query.text("link") { (text) in text }
    try query.finish()
    let place = ticket == nil ? ErrorPlace.signIn : .settings
    return try await redirecting(call, place) {
      var linking: SessionID?
      if let ticket {
        // The ticket of another person would link this browser's user to the account of that person.
        linking = signOn.session(linkingBy: ticket)
        guard let linking, try await browserSession(call, signOn)?.id == linking else {
          throw MemeError.signInExpired
        }
      }
      let wish = SignInAttempt.Wish(page: page.text, invitation: invitation, linking: linking)
      let begun = try await signOn.begin(wish, redirect: redirect)
      return Self.redirect(to: begun.url)
        .with(.setCookie, cookie.set(begun.cookie, seconds: begun.seconds))
    }
  }

  private func finish(_ call: Call) async throws -> Response {
    guard let signOn else { throw Problem(.notFound) }
    let attempt = cookie.content(in: call.request.head.headers).flatMap(signOn.attempt)
    let place = attempt?.wish.linking == nil ? ErrorPlace.signIn : .settings
    var response = try await redirecting(call, place, clearing: cookie.cleared) {
      guard let attempt, let answer = answer(in: call) else { throw MemeError.signInExpired }
      let session =
        attempt.wish.linking == nil ? nil : try await browserSession(call, signOn)
      let client = call.request.head.headers[.userAgent].flatMap { ClientName($0.text) }
      return self.response(
        to: try await signOn.finish(attempt, answer, in: session, on: client), attempt)
    }
    response.headers.append(.setCookie, cookie.cleared)
    return response
  }

  private func response(to outcome: SingleSignOn.Outcome, _ attempt: SignInAttempt) -> Response {
    switch outcome {
    case .linked: return Self.redirect(to: "\(basePath)/app/settings/security")
    case .signedIn(let signedIn, let seconds):
      // The app learns of the session there, and goes on to the page. Browsers keep the fragment to themselves.
      var response = Self.redirect(to: "\(basePath)/app/signed-in#\(attempt.wish.page)")
      if let value = session.set(signedIn.token, seconds: seconds) {
        response.headers.append(.setCookie, value)
      }
      return response
    }
  }

  /// The answer of the provider; `nil` if a parameter occurs more than once (RFC 6749 §3.1), or the state is missing.
  private func answer(in call: Call) -> SingleSignOn.Answer? {
    var answer = SingleSignOn.Answer(redirect: redirect, request: call.requestName)
    var names: Set<String> = []
    for (name, value) in call.request.head.target.query {
      switch name {
      case "state": answer.state = value
      case "code": answer.code = value
      case "error": answer.error = value
      case "iss": answer.issuer = value
      default: continue
      }
      guard names.insert(name).inserted else { return nil }
    }
    return names.contains("state") ? answer : nil
  }

  /// The session of the browser. The routes are open, because no session is needed to sign in.
  private func browserSession(_ call: Call, _ signOn: SingleSignOn) async throws -> Session? {
    let tokens = session.tokens(in: call.request.head.headers)
    guard tokens.count == 1, let token = tokens.first else { return nil }
    return try await signOn.session(openedBy: token)
  }

  /// The page of the app that shows errors.
  private enum ErrorPlace: String {
    case signIn = "/app/sign-in"
    case settings = "/app/settings/security"
  }

  /// Redirects a browser to the app after an error.
  ///
  /// - Parameter cleared: deletes the cookie of the attempt, which is no longer of use.
  /// - Throws: the problem, if the client is no browser.
  private func redirecting(
    _ call: Call, _ place: ErrorPlace, clearing cleared: HeaderValue? = nil,
    _ body: () async throws -> Response
  ) async throws -> Response {
    do { return try await body() } catch {
      let problem = Problem(error)
      guard call.accept.names("text/html") else { throw problem.clearing(cleared) }
      if let cause = problem.cause { report(cause, call.request.head.id) }
      return Self.redirect(to: "\(basePath)\(place.rawValue)?error=\(problem.kind.code)")
    }
  }

  private static func redirect(to url: String) -> Response {
    Response(.found).with(.location, HeaderValue(url)).with(.cacheControl, "no-store")
  }

  private static func page(_ text: String) throws(InvalidValue) -> AppPath {
    guard let path = AppPath(text) else {
      throw InvalidValue(
        code: "not-allowed", message: "Must be a path of the app, such as /app/feed.")
    }
    return path
  }

  private static func invitation(_ text: String) throws(InvalidValue) -> String? {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw InvalidValue(code: "not-allowed", message: "Must be the code of an invitation.")
    }
    return text.isEmpty ? nil : text
  }
}

extension Problem {
  /// The same problem, which also deletes a cookie.
  fileprivate func clearing(_ cookie: HeaderValue?) -> Problem {
    guard let cookie else { return self }
    var headers = headers
    headers[.setCookie] = cookie
    var problem = Problem(kind, detail, fields: fields, headers: headers, cause: cause)
    problem.member = member
    return problem
  }
}
