import HTTP
import Memes

/// Which responses the cache keeps, and for which requests it returns them.
extension App {
  /// On SQLite, `mememe templates import` changes templates beside the server, which is not told.
  private static let longestTemplateAge = Duration.seconds(1)

  /// Returns a cached response. A request with a cookie gets only cached pictures, which are the same for every user.
  func known(_ head: RequestHead) -> CachedResponse? {
    guard head.mayBeKnown else { return nil }
    return cache.answer(to: head, isSignedIn: head.headers[.cookie] != nil)
  }

  /// Caches a response if every client that sends the same request would get it.
  func keep(
    _ response: Response, to call: Call, of endpoint: Endpoint, since moment: ResponseCache.Moment
  ) {
    guard let cachePolicy = endpoint.route.cachePolicy, mayKeep(response, to: call, of: endpoint)
    else { return }
    let subject: CachedResponse.Subject
    var end: ContinuousClock.Instant?
    switch cachePolicy {
    case .untilMemesChange:
      let query = call.query
      subject = .list(
        CachedList(
          memes: response.listed.map(MemeID.init), isFirst: !query.has("cursor"),
          // Search results have tiers, and a new meme can come first in any of them.
          isRanked: query.has("sort") || query.has("q")))
    case .untilItsMemeChanges, .untilItsLookChanges:
      // The response depends on another meme, whose changes do not remove it.
      guard response.listed.isEmpty else { return }
      guard let id = try? call.memeID() else { return }
      subject = cachePolicy == .untilItsLookChanges ? .look(id) : .meme(id)
    case .untilItsTemplateChanges:
      guard let id = response.listed.first else { return }
      subject = .template(TemplateID(id))
      end = moment.time + Self.longestTemplateAge
    }
    guard let body = cache.reserve(response.body) else { return }
    var response = response
    response.body = body
    let answer = CachedResponse(
      response: response, subject: subject, route: endpoint.mark, until: end)
    cache.keep(answer, to: call.request.head, since: moment)
  }

  /// Whether the cache takes a response, once its bytes are in memory.
  func mayKeep(_ response: Response, to call: Call, of endpoint: Endpoint) -> Bool {
    let head = call.request.head
    return endpoint.route.cachePolicy != nil && head.mayBeKnown && head.headers[.cookie] == nil
      && response.status == .ok && response.stream == nil
      && response.byteCount <= cache.maximumBytes
      && response.headers[.cacheControl] != "no-store"
      // Many URLs lead to the same response there. Cache it only for the URL without a query.
      && (!endpoint.route.takesAnyQuery || head.target.query.isEmpty)
  }
}

extension RequestHead {
  /// Whether the response may be cached: the method is GET or HEAD, and there is no token. Cookies are allowed here,
  /// because browsers send them with every picture.
  fileprivate var mayBeKnown: Bool {
    (method == .get || method == .head) && headers[.authorization] == nil
  }
}
