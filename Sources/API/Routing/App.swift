package import HTTP
package import Memes

/// The whole API as a service: finds the route, tells who asks, calls the handler, and turns errors into problems.
package struct App: Service {
  package let routes: [Route]
  private let router: Router<Route>
  private let tokens: any TokenKeeper
  private let anonymous: Bool
  private let basePath: String
  /// What a refused request may still be sending, whatever route it meant.
  private let largestBody: Int
  private let cache: AnswerCache
  private let log: any AppLog

  /// - Parameters:
  ///   - anonymous: whether people without credentials may do anything.
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - cache: hears of every change of what the handlers read.
  package init(
    routes: [Route], tokens: any TokenKeeper, anonymous: Bool, basePath: String,
    cache: AnswerCache, log: any AppLog
  ) {
    (self.routes, self.tokens, self.anonymous) = (routes, tokens, anonymous)
    (self.basePath, self.cache, self.log) = (basePath, cache, log)
    var router = Router<Route>()
    for route in routes { router.add(route.method, route.pattern, route) }
    self.router = router
    largestBody = routes.map(\.body.maximumBytes).max() ?? 0
  }

  package func admit(_ head: RequestHead) -> Admission {
    if head.mayBeKnown, let known = cache.answer(to: head.target.raw) {
      return Admission(answering: known.response, route: known.route)
    }
    var pattern: String?
    do throws(Problem) {
      let match = try router.match(head.method, head.target.segments)
      let route = match.endpoint
      pattern = route.pattern.text
      let viewer = try viewer(of: head, route, match.parameters)
      let unknownQuery = try unknownQuery(of: head, route)
      let body = try reader(for: route.body, head)
      return Admission(body: body, bodyLimit: route.body.maximumBytes, route: pattern) {
        request in
        let call = Call(
          request: request, parameters: match.parameters, viewer: viewer, unknownQuery: unknownQuery
        )
        return await answer(call, route)
      }
    } catch {
      return Admission(
        refusing: response(to: error, id: head.id), bodyLimit: largestBody, route: pattern)
    }
  }

  package func response(to problem: Problem, id: RequestID) -> Response {
    if let cause = problem.cause { log.failure(cause, id: id) }
    return problem.response(id: id, basePath: basePath).withStandardHeaders
  }

  package func completed(_ record: AccessRecord) { log.access(record) }

  private func answer(_ call: Call, _ route: Route) async -> Response {
    let moment = cache.moment
    do {
      let response = try await route.handler(call).withStandardHeaders
      keep(response, to: call, of: route, since: moment)
      return response
    } catch {
      return response(to: Problem(error), id: call.request.head.id)
    }
  }

  /// Keeps an answer that everybody will get who asks the same.
  private func keep(
    _ response: Response, to call: Call, of route: Route, since moment: AnswerCache.Moment
  ) {
    let head = call.request.head
    guard let keeping = route.keeping, head.mayBeKnown, response.status == .ok else { return }
    let subject: KnownAnswer.Subject
    switch keeping {
    case .untilAnyMemeChanges: subject = .list
    case .untilItsMemeChanges:
      guard let id = try? call.memeID() else { return }
      subject = .meme(id)
    }
    let answer = KnownAnswer(response: response, subject: subject, route: route.pattern.text)
    cache.keep(answer, to: head.target.raw, since: moment)
  }

  private func viewer(
    of head: RequestHead, _ route: Route, _ parameters: Parameters
  ) throws(Problem) -> Viewer {
    guard route.access != .open else { return .anonymous }
    let token = try BearerToken.read(head.headers)
    do throws(MemeError) {
      let meme = parameters["id"].flatMap { MemeID($0) }
      let viewer = try tokens.viewer(showing: token?.text, about: meme)
      if viewer == .anonymous, route.access == .credentials || !anonymous { throw .unauthorized }
      return viewer
    } catch { throw Problem(error) }
  }

  /// The names in the query that the route does not have, for its handler to refuse with whatever else is wrong.
  ///
  /// - Throws: 422 where the route reads no query at all.
  private func unknownQuery(of head: RequestHead, _ route: Route) throws(Problem) -> [String] {
    let unknown = head.target.query.map(\.name).filter { !route.query.contains($0) }.prefix(32)
    if route.query.isEmpty {
      var fields = FieldReader([])
      for name in unknown { fields.rejectUnknown(name) }
      try fields.finish()
    }
    return Array(unknown)
  }

  private func reader(
    for body: Route.Body, _ head: RequestHead
  ) throws(Problem) -> any BodyReader {
    switch body {
    case .none: NoBody()
    case .form(let rule, _):
      try FormReader(contentType: head.headers[.contentType], rule: rule)
    }
  }
}

/// Where the API writes what operators want to know. Safe to call from any thread.
package protocol AppLog: Sendable {
  /// A request is over.
  func access(_ record: AccessRecord)

  /// A request failed for a reason that is not the client's.
  func failure(_ cause: String, id: RequestID)
}

extension RequestHead {
  /// Whether the answer is the same for everybody who asks this: nobody says who they are.
  fileprivate var mayBeKnown: Bool {
    (method == .get || method == .head) && headers[.authorization] == nil
  }
}

extension Response {
  /// With the fields that every answer has, but for its id, which the daemon adds.
  fileprivate var withStandardHeaders: Response {
    var response = self
    let standard: [(HeaderName, HeaderValue)] = [
      (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "no-referrer"),
      (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
      (.crossOriginResourcePolicy, "same-origin"),
    ]
    for (name, value) in standard where headers[name] == nil {
      response.headers.append(name, value)
    }
    return response
  }
}
