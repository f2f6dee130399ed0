package import Bytes
package import HTTP
package import Memes

/// What differs between the API and the listener of metrics.
package struct AppOptions: Sendable {
  /// Networks whose clients are not charged for rendering.
  package var freeNetworks: [AddressRange] = []
  /// How long browsers must use only HTTPS (`Strict-Transport-Security`), in seconds; 0 omits the header.
  package var transportSeconds = 0
  /// The prefix of every URL in responses, without a trailing slash.
  package var basePath = ""
  /// The origins whose pages may read responses.
  package var origins = AllowedOrigins.none
  /// Holds the bodies of responses until clients have received them.
  package var sending: SpoolPlace

  package init(sending: SpoolPlace) { self.sending = sending }
}

/// The whole API as a service: finds the route, authenticates the caller, calls the handler, and
/// converts errors into problems.
package struct App: Service {
  package let routes: [Route]
  /// Counts requests.
  package let meter: RequestMeter
  let router: Router<Endpoint>
  /// The query parameters that routes accept and the log may have, by the index of the pattern.
  private let queryNames: [Int: Set<String>]
  /// The indexes of the patterns whose paths contain a token, or an ID that grants access.
  private let tokenPatterns: Set<Int>
  let authentication: Authentication
  private let throttle: SharedThrottle
  /// Networks whose clients are not charged for rendering.
  private let freeNetworks: [AddressRange]
  private let basePath: String
  /// The header fields that every response has.
  private let standardHeaders: [(HeaderName, HeaderValue)]
  let origins: AllowedOrigins
  let cache: ResponseCache
  private let sending: SpoolPlace
  private let log: any AppLog

  /// How long an authentication result stays valid while the body is being received.
  private static let longestTrust = Duration.seconds(1)

  struct Endpoint: Sendable {
    let route: Route
    let mark: RouteID
  }

  /// - Parameters:
  ///   - authentication: identifies the caller.
  ///   - throttle: limits how often callers may send requests.
  ///   - cache: must observe every change of the data that the handlers read.
  package init(
    _ options: AppOptions, routes: [Route], authentication: Authentication,
    throttle: SharedThrottle, cache: ResponseCache, log: any AppLog
  ) {
    freeNetworks = options.freeNetworks
    let seconds = options.transportSeconds
    let transport = seconds > 0 ? HeaderValue("max-age=\(seconds)") : nil
    standardHeaders =
      Self.protectingHeaders + [transport.map { (.strictTransportSecurity, $0) }].compactMap { $0 }
    (self.routes, self.authentication, self.throttle) = (routes, authentication, throttle)
    (basePath, origins, self.cache, self.log) = (options.basePath, options.origins, cache, log)
    sending = options.sending
    meter = RequestMeter(routes)
    var router = Router<Endpoint>()
    var queryNames: [Int: Set<String>] = [:]
    var tokenPatterns: Set<Int> = []
    for route in routes {
      let mark = meter.mark(route.pattern)
      router.add(route.method, route.pattern, Endpoint(route: route, mark: mark))
      queryNames[mark.index, default: []].formUnion(
        route.query.subtracting(LoggedTarget.secretParameters))
      if LoggedTarget.hasToken(route.pattern) { tokenPatterns.insert(mark.index) }
    }
    (self.router, self.queryNames) = (router, queryNames)
    self.tokenPatterns = tokenPatterns
  }

  /// Decides about a request before its body arrives. Only the first step does not wait. The steps, in this order:
  ///
  /// 1. a kept response (`known`), which needs none of the other steps;
  /// 2. an access token in the URL, which is refused; the route, or the answer to `OPTIONS`;
  /// 3. the version of tus, if the client uses tus;
  /// 4. authentication, and whether the caller may use the route;
  /// 5. the rate limit;
  /// 6. the names of query parameters, and the idempotency key;
  /// 7. the reader of the body, which checks `Content-Type` and the declared length.
  ///
  /// After the body: authentication again if the body took long; the handler; what depends on this one request
  /// (`reply`): preconditions, ranges, CORS; the bytes that are in an object store; and the cache (`keep`).
  package func admit(_ head: RequestHead) -> Admission {
    if let known = known(head) {
      return Admission(answering: reply(with: known.response, to: head), route: known.route)
    }
    return Admission(waiting: { await decide(about: head) })
  }

  private func decide(about head: RequestHead) async -> Admission {
    var endpoint: Endpoint?
    do throws(Problem) {
      try refuseTokens(inURLOf: head)
      if head.method == .options { return try options(head) }
      let match = try router.match(head.method, head.target.segments)
      let (route, mark) = (match.endpoint.route, match.endpoint.mark)
      endpoint = match.endpoint
      if route.supportsTus { _ = try Tus.isUsed(head.headers) }
      let asking = try await authentication.whoSent(head, to: route, match.parameters)
      let requester = requester(head, asking.viewer)
      let allowance = try await throttle.count(head, to: route, by: requester?.caller)
      let unknownQuery = try unknownQuery(of: head, route)
      let key = route.takesKeys ? try IdempotencyKey.read(head.headers) : nil
      let body = try await route.body.reader(for: head, match.parameters)
      let limit = route.body.maximumBytes(contentType: head.headers[.contentType])
      let arrival = ContinuousClock.now
      return Admission(
        body: body, bodyLimit: limit, route: mark, isLongRunning: route.isLongRunning
      ) { request in
        do throws(Problem) {
          // A body may arrive over hours. Authenticate again, because the user may have signed out
          // or been suspended since.
          let isLate = arrival.duration(to: .now) > Self.longestTrust
          let now =
            isLate ? try await authentication.whoSent(head, to: route, match.parameters) : asking
          let call = Call(
            request: request, parameters: match.parameters, viewer: now.viewer,
            credential: now.credential, key: key, unknownQuery: unknownQuery)
          let response = await Requester.$current.withValue(requester) {
            await answer(call, match.endpoint, isSuspended: now.isSuspended)
          }
          return response.showing(throttle.allowances(allowance, of: route, for: requester))
            .speakingTus(where: route, to: head)
        } catch {
          return response(to: error, head, of: route).showing(allowance.map { [$0] } ?? [])
            .speakingTus(where: route, to: head)
        }
      }
    } catch {
      return Admission(
        refusing: response(to: error, head, of: endpoint?.route)
          .speakingTus(where: endpoint?.route, to: head),
        route: endpoint?.mark)
    }
  }

  private static let protectingHeaders: [(HeaderName, HeaderValue)] = [
    (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "no-referrer"),
    (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
    (.crossOriginResourcePolicy, "same-origin"),
  ]

  /// Adds the header fields that every response has, except the request ID, which the daemon adds.
  func protected(_ response: Response) -> Response {
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
    // A request without a route may have been meant for one of these patterns.
    let mayHaveToken = record.route.map { tokenPatterns.contains($0.index) } ?? true
    record.target = LoggedTarget.text(
      of: mayHaveToken ? LoggedTarget.withoutToken(record.target) : record.target, keeping: known)
    record.method = LoggedTarget.visible(record.method)
    log.access(record)
  }

  private func requester(_ head: RequestHead, _ viewer: Principal) -> Requester? {
    Caller(viewer, head).map { caller in
      let address = IPAddress(head.peer)
      return Requester(
        caller, pays: !freeNetworks.contains { range in address.map(range.contains) ?? false },
        isLocal: address?.isLoopback ?? false)
    }
  }

  private func answer(
    _ call: Call, _ endpoint: Endpoint, isSuspended: Bool
  ) async -> Response {
    let head = call.request.head
    if let credential = call.credential { await noteUse(of: credential, head.id) }
    let moment = cache.moment
    do {
      var whole = protected(try await endpoint.route.handler(call))
      let access = endpoint.route.access
      // The response to a signed URL is for everyone who has the URL. Its handler knows.
      if access != .open, access != .signed, !authentication.allowsAnonymous { whole.keepPrivate() }
      let response = try await reply(with: whole, to: call, of: endpoint, since: moment)
      let sendsBody = head.method != .head && !response.status.isBodiless
      return sendsBody ? try held(response, to: head.method) : response.bodiless
    } catch {
      var problem = Problem(error)
      // The session has not ended. The web app would sign the person out, who could not sign in again.
      if isSuspended, problem.kind == .unauthorized { problem = Problem(.suspended) }
      return response(to: problem, head, of: endpoint.route)
    }
  }

  /// Adapts the response of a handler to its request, and caches it.
  ///
  /// The request decides what is read of remote bytes: nothing for 304 and HEAD, a part for a range. A response that
  /// the cache takes is read as a whole.
  ///
  /// - Throws: the errors of the source of the bytes.
  private func reply(
    with whole: Response, to call: Call, of endpoint: Endpoint, since moment: ResponseCache.Moment
  ) async throws -> Response {
    let head = call.request.head
    let answer = reply(with: whole, to: head)
    guard whole.remote != nil else {
      keep(whole, to: call, of: endpoint, since: moment)
      return answer
    }
    guard answer.remote != nil, head.method != .head, !answer.status.isBodiless else {
      return answer
    }
    guard mayKeep(whole, to: call, of: endpoint) else { return try await answer.loaded() }
    let loaded = try await whole.loaded()
    keep(loaded, to: call, of: endpoint, since: moment)
    return reply(with: loaded, to: head)
  }

  /// A body that a client is slow to receive must not occupy memory that nothing limits.
  ///
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if there is neither memory nor disk for it.
  private func held(_ response: Response, to method: Method) throws -> Response {
    var response = response
    // A part would keep the memory of the whole.
    if response.status == .partialContent, !response.body.isFile {
      let part = response.body.withUnsafeBytes { part in
        Bytes(count: part.count) { $0.copyMemory(from: part) }
      }
      guard let part else { throw MemeError.overloaded() }
      response.body = part
    }
    guard response.body.count > Self.smallBody else { return response }
    do throws(Spool.Failure) { response.body = try sending.hold(response.body) } catch {
      // The change was made, so its response is sent, whatever it costs.
      guard method == .get else { return response }
      throw MemeError.overloaded()
    }
    return response
  }

  /// Bodies up to this size are not counted: with all connections, they take 64 MB.
  private static let smallBody = 64 << 10

  /// A failure to record the use of a session must not fail the request.
  private func noteUse(of credential: Credential, _ id: RequestID) async {
    await authentication.noteUse(of: credential) { [log] error in
      log.failure("cannot record the use of a session: \(error.reason)", id: id)
    }
  }

  /// Adapts a complete response to this request. The response may have been cached for another client.
  func reply(with whole: Response, to head: RequestHead) -> Response {
    do throws(Problem) {
      var response = try whole.answering(head)
      origins.share(&response, with: head.headers[.origin])
      return response
    } catch {
      return response(to: error, head)
    }
  }

  /// - Parameter route: the route of the request, which may have a page for the problem; `nil` for no page.
  private func response(
    to problem: Problem, _ head: RequestHead, of route: Route? = nil
  ) -> Response {
    guard var page = route?.errorPage?(problem, head) else {
      return response(to: problem, id: head.id, origin: head.headers[.origin])
    }
    page = protected(page)
    origins.share(&page, with: head.headers[.origin])
    return page
  }

  /// URLs are in logs and in the histories of browsers.
  ///
  /// - Throws: `malformedRequest` if the query contains an access token, valid or not.
  private func refuseTokens(inURLOf head: RequestHead) throws(Problem) {
    guard AccessTokenText.occursAsWord(inURL: String(head.target.rawQuery)) else { return }
    throw Problem(
      .malformedRequest,
      "Send the access token in the Authorization header. Delete this token, because URLs are logged."
    )
  }

  /// The query parameters that the route does not accept. Its handler rejects them together with other invalid fields.
  ///
  /// - Throws: `invalidInput` if there are any and the route accepts no query parameters at all.
  private func unknownQuery(of head: RequestHead, _ route: Route) throws(Problem) -> [String] {
    if route.takesAnyQuery { return [] }
    let unknown = head.target.query.map(\.name).filter { !route.query.contains($0) }.prefix(32)
    if route.query.isEmpty {
      var fields = FieldDecoder([])
      for name in unknown { fields.rejectUnknown(name) }
      try fields.finish()
    }
    return Array(unknown)
  }
}

extension Response {
  /// Restricts a public response to private caches. A shared cache would return it to any client (RFC 9111 §3.5).
  fileprivate mutating func keepPrivate() {
    guard let text = headers[.cacheControl]?.text, text.hasPrefix("public") else { return }
    let rest = text.split(separator: ", ").filter { $0 != "public" && !$0.hasPrefix("s-maxage") }
    headers[.cacheControl] = HeaderValue((["private"] + rest).joined(separator: ", "))
  }
}
