package import HTTP
package import Memes

/// The whole API as a service: finds the route, tells who asks, calls the handler, and turns errors into problems.
package struct App: Service {
  package let routes: [Route]
  /// Counts what is served.
  package let meter: RequestMeter
  private let router: Router<Endpoint>
  /// The names that the query may have, by the place of the route's pattern.
  private let queryNames: [Int: Set<String>]
  /// The places of the patterns that have a token in the path, or what is as good as one.
  private let tokenPatterns: Set<Int>
  private let authentication: Authentication
  private let throttle: Throttle
  /// Those for whom drawing costs nothing.
  private let freeNetworks: [AddressRange]
  private let basePath: String
  /// Of the header fields that every answer has.
  private let standardHeaders: [(HeaderName, HeaderValue)]
  private let origins: AllowedOrigins
  private let cache: AnswerCache
  private let log: any AppLog

  /// How old an answer to who asks may be when the body is there.
  private static let longestTrust = Duration.seconds(1)

  private struct Endpoint: Sendable {
    let route: Route
    let mark: RouteMark
  }

  /// - Parameters:
  ///   - authentication: tells who asks.
  ///   - throttle: says who asks too often.
  ///   - freeNetworks: for whom drawing costs nothing.
  ///   - transportSeconds: for how long browsers are to use HTTPS alone; 0 does not say so.
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - origins: whose pages may read answers.
  ///   - cache: hears of every change of what the handlers read.
  package init(
    routes: [Route], authentication: Authentication, throttle: Throttle,
    freeNetworks: [AddressRange] = [], transportSeconds: Int = 0, basePath: String,
    origins: AllowedOrigins,
    cache: AnswerCache, log: any AppLog
  ) {
    self.freeNetworks = freeNetworks
    let transport = transportSeconds > 0 ? HeaderValue("max-age=\(transportSeconds)") : nil
    standardHeaders =
      Self.protectingHeaders + [transport.map { (.strictTransportSecurity, $0) }].compactMap { $0 }
    (self.routes, self.authentication, self.throttle) = (routes, authentication, throttle)
    (self.basePath, self.origins, self.cache, self.log) = (basePath, origins, cache, log)
    meter = RequestMeter(routes)
    var router = Router<Endpoint>()
    var queryNames: [Int: Set<String>] = [:]
    var tokenPatterns: Set<Int> = []
    for route in routes {
      let mark = meter.mark(route.pattern)
      router.add(route.method, route.pattern, Endpoint(route: route, mark: mark))
      queryNames[mark.index, default: []].formUnion(route.query)
      if LoggedTarget.hasToken(route.pattern) { tokenPatterns.insert(mark.index) }
    }
    (self.router, self.queryNames) = (router, queryNames)
    self.tokenPatterns = tokenPatterns
  }

  package func admit(_ head: RequestHead) -> Admission {
    if let known = known(head) {
      return Admission(answering: reply(with: known.response, to: head), route: known.route)
    }
    var endpoint: Endpoint?
    do throws(Problem) {
      if head.method == .options { return try options(head) }
      let match = try router.match(head.method, head.target.segments)
      let (route, mark) = (match.endpoint.route, match.endpoint.mark)
      endpoint = match.endpoint
      if route.speaksTus { _ = try Tus.isSpoken(head.headers) }
      let asking = try authentication.whoSent(head, to: route, match.parameters)
      let requester = requester(head, asking.viewer)
      let allowance = try throttle.count(head, to: route, by: requester?.caller)
      let unknownQuery = try unknownQuery(of: head, route)
      let key = route.takesKeys ? try IdempotencyKey.read(head.headers) : nil
      let body = try route.body.reader(for: head, match.parameters)
      let limit = route.body.maximumBytes(contentType: head.headers[.contentType])
      let arrival = ContinuousClock.now
      return Admission(
        body: body, bodyLimit: limit, route: mark, isLongRunning: route.isLongRunning
      ) { request in
        do throws(Problem) {
          // A body may take hours: somebody who signed out meanwhile, or was suspended, does nothing more by it.
          let isLate = arrival.duration(to: .now) > Self.longestTrust
          let now =
            isLate ? try authentication.whoSent(head, to: route, match.parameters) : asking
          let call = Call(
            request: request, parameters: match.parameters, viewer: now.viewer,
            session: now.session, key: key, unknownQuery: unknownQuery)
          let response = await Requester.$current.withValue(requester) {
            await answer(call, match.endpoint)
          }
          return response.showing(throttle.allowances(allowance, of: route, for: requester))
            .speakingTus(where: route, to: head)
        } catch {
          return response(to: error, head).showing(allowance.map { [$0] } ?? [])
            .speakingTus(where: route, to: head)
        }
      }
    } catch {
      return Admission(
        refusing: response(to: error, head).speakingTus(where: endpoint?.route, to: head),
        route: endpoint?.mark)
    }
  }

  /// An answer that is kept ready. With a cookie only pictures are: they are the same for all.
  private func known(_ head: RequestHead) -> KnownAnswer? {
    guard head.mayBeKnown else { return nil }
    return cache.answer(to: head, isSignedIn: head.headers[.cookie] != nil)
  }

  private static let protectingHeaders: [(HeaderName, HeaderValue)] = [
    (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "no-referrer"),
    (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
    (.crossOriginResourcePolicy, "same-origin"),
  ]

  /// With the fields that every answer has, but for its id, which the daemon adds.
  private func protected(_ response: Response) -> Response {
    var response = response
    for (name, value) in standardHeaders where response.headers[name] == nil {
      response.headers.append(name, value)
    }
    return response
  }

  package func response(to problem: Problem, id: RequestID, origin: HeaderValue?) -> Response {
    if let cause = problem.cause { log.failure(cause, id: id) }
    var response = protected(problem.response(id: id, basePath: basePath))
    origins.share(&response, with: origin)
    return response
  }

  package func completed(_ record: AccessRecord) {
    meter.count(record)
    guard log.takesAccess else { return }
    var record = record
    let known = record.route.flatMap { queryNames[$0.index] } ?? []
    // What went to no route may have been meant for one of these.
    let mayHaveToken = record.route.map { tokenPatterns.contains($0.index) } ?? true
    record.target = LoggedTarget.text(
      of: mayHaveToken ? LoggedTarget.withoutToken(record.target) : record.target, keeping: known)
    record.method = LoggedTarget.visible(record.method)
    log.access(record)
  }

  private func requester(_ head: RequestHead, _ viewer: Viewer) -> Requester? {
    Caller(viewer, head).map { caller in
      let address = IPAddress(head.peer)
      return Requester(
        caller, pays: !freeNetworks.contains { range in address.map(range.contains) ?? false },
        isLocal: address?.isLoopback ?? false)
    }
  }

  private func answer(_ call: Call, _ endpoint: Endpoint) async -> Response {
    let head = call.request.head
    if let session = call.session { await noteUse(of: session, head.id) }
    let moment = cache.moment
    do {
      var whole = protected(try await endpoint.route.handler(call))
      if endpoint.route.access != .open, !authentication.isForAnybody { whole.keepPrivate() }
      keep(whole, to: call, of: endpoint, since: moment)
      return reply(with: whole, to: head)
    } catch {
      return response(to: Problem(error), head)
    }
  }

  /// What only dates the session must not fail the request.
  private func noteUse(of session: Session, _ id: RequestID) async {
    do throws(MemeError) { try await authentication.noteUse(of: session) } catch {
      log.failure("the use of a session was not noted: \(error.reason)", id: id)
    }
  }

  /// Keeps an answer that everybody will get who asks the same.
  private func keep(
    _ response: Response, to call: Call, of endpoint: Endpoint, since moment: AnswerCache.Moment
  ) {
    let head = call.request.head
    guard let keeping = endpoint.route.keeping, head.mayBeKnown, head.headers[.cookie] == nil,
      response.status == .ok, response.stream == nil,
      response.headers[.cacheControl] != "no-store",
      // Any number of addresses mean the same there: one of them is kept.
      !endpoint.route.takesAnyQuery || head.target.query.isEmpty
    else { return }
    let subject: KnownAnswer.Subject
    switch keeping {
    case .untilMemesChange:
      let query = call.query
      subject = .list(
        KnownList(
          memes: response.listed.map(MemeID.init), isFirst: !query.has("cursor"),
          // The results of a search come in tiers, and a new meme at the beginning of any of them.
          isRanked: query.has("sort") || query.has("q")))
    case .untilItsMemeChanges, .untilItsLookChanges:
      guard let id = try? call.memeID() else { return }
      subject = keeping == .untilItsLookChanges ? .look(id) : .meme(id)
    }
    let answer = KnownAnswer(response: response, subject: subject, route: endpoint.mark)
    cache.keep(answer, to: head, since: moment)
  }

  /// What becomes of a whole answer for whoever asked: it may have been made for somebody else who asked the same.
  private func reply(with whole: Response, to head: RequestHead) -> Response {
    do throws(Problem) {
      var response = try whole.answering(head)
      origins.share(&response, with: head.headers[.origin])
      return response
    } catch {
      return response(to: error, head)
    }
  }

  private func response(to problem: Problem, _ head: RequestHead) -> Response {
    response(to: problem, id: head.id, origin: head.headers[.origin])
  }

  /// What an address, or with `*` the server, takes. Nobody has to show a token for it: browsers ask without.
  ///
  /// - Throws: 404 where there is nothing at the address.
  private func options(_ head: RequestHead) throws(Problem) -> Admission {
    let endpoints = head.target.isWholeServer ? nil : try router.endpoints(at: head.target.segments)
    let allowed = Method.allow(endpoints?.keys.map { $0 } ?? Array(router.methods))
    var response = Response(.noContent, headers: Headers([(.allow, allowed)]))
    // RFC 5789 §3.1.
    if let body = endpoints?[.patch]?.route.body {
      response.headers[.acceptPatch] = body.mediaTypes
    }
    let ofTus = endpoints?.values.filter(\.route.speaksTus) ?? []
    if let maximumBytes = ofTus.map(\.route.body.maximumBytes).max() {
      for (name, value) in Tus.options(maximumBytes: maximumBytes) {
        response.headers[name] = value
      }
    }
    origins.grant(allowed, to: head, in: &response)
    let answer = reply(with: protected(response), to: head)
    return Admission(
      body: NoBody(), bodyLimit: 0, route: endpoints?.first?.value.mark
    ) { _ in answer }
  }

  /// The names in the query that the route does not have, for its handler to refuse with whatever else is wrong.
  ///
  /// - Throws: 422 where the route reads no query at all.
  private func unknownQuery(of head: RequestHead, _ route: Route) throws(Problem) -> [String] {
    if route.takesAnyQuery { return [] }
    let unknown = head.target.query.map(\.name).filter { !route.query.contains($0) }.prefix(32)
    if route.query.isEmpty {
      var fields = FieldReader([])
      for name in unknown { fields.rejectUnknown(name) }
      try fields.finish()
    }
    return Array(unknown)
  }
}

/// Where the API writes what operators want to know. Safe to call from any thread.
package protocol AppLog: Sendable {
  /// Whether ``access(_:)`` does anything.
  var takesAccess: Bool { get }

  /// A request is over.
  func access(_ record: AccessRecord)

  /// A request failed for a reason that is not the client's.
  func failure(_ cause: String, id: RequestID)
}

extension RequestHead {
  /// Whether an answer may be ready: the request has no token. Browsers send their cookies with every picture.
  fileprivate var mayBeKnown: Bool {
    (method == .get || method == .head) && headers[.authorization] == nil
  }
}

extension Response {
  /// Lets only caches keep it that one person has to themselves: a shared one would give it to anybody (RFC 9111 §3.5).
  fileprivate mutating func keepPrivate() {
    guard let text = headers[.cacheControl]?.text, text.hasPrefix("public") else { return }
    let rest = text.split(separator: ", ").filter { $0 != "public" && !$0.hasPrefix("s-maxage") }
    headers[.cacheControl] = HeaderValue((["private"] + rest).joined(separator: ", "))
  }

}
