import API
import Bytes
import Foundation
import HTTP
import Memes
import Support
import Synchronization
import Testing

/// What is read of pictures in an object store, with and without the cache of responses.
struct RemotePictureTests {
  private final class Source: RemoteBytes {
    static let whole = Bytes([UInt8](0..<100))

    let count = 100
    private let state = Mutex<(reads: [Range<Int>], error: MemeError?)>(([], nil))

    var reads: [Range<Int>] { state.withLock(\.reads) }

    func fail(with error: MemeError) { state.withLock { $0.error = error } }

    func bytes(in range: Range<Int>) async throws -> Bytes {
      let error = state.withLock { state in
        state.reads.append(range)
        return state.error
      }
      if let error { throw error }
      return try #require(Self.whole.slice(range))
    }
  }

  private struct Setting {
    let source = Source()
    let cache: ResponseCache
    private let app: App
    private let target: String

    init(cacheBytes: Int) {
      let (source, cache) = (source, ResponseCache(capacityBytes: cacheBytes))
      let route = Route(
        .get, "/memes/{id}/image", access: .viewer, cachePolicy: .untilItsLookChanges
      ) { _ in
        var response = Response(
          .ok,
          headers: Headers([
            (.contentType, "image/png"), (.etag, "\"x\""), (.acceptRanges, "bytes"),
          ]))
        response.remote = RemotePart(source)
        return response
      }
      self.cache = cache
      app = App(
        AppOptions(sending: SpoolPlace(directory: "/nonexistent")), routes: [route],
        authentication: Authentication(tokens: NoTokens(), anonymous: true),
        throttle: SharedThrottle(Throttle(isOn: false)), cache: cache, log: NoLog())
      target = "/memes/\(MemeID(UUID()))/image"
    }

    func send(
      _ method: HTTP.Method = .get, _ fields: [(HeaderName, HeaderValue)] = [], isAdmin: Bool
    ) async throws -> Response {
      let token: [(HeaderName, HeaderValue)] = isAdmin ? [(.authorization, "Bearer admin")] : []
      let head = RequestHead(
        method: method, target: try RequestTarget(target), headers: Headers(fields + token),
        id: RequestID(random: 1), peer: "")
      return try await app.answer(head)
    }
  }

  private let range: [(HeaderName, HeaderValue)] = [(.range, "bytes=10-19")]
  private let known: [(HeaderName, HeaderValue)] = [(.ifNoneMatch, "\"x\"")]

  @Test(arguments: [true, false])
  func `HEAD, 304 and refusals read nothing, and cache nothing`(isAdmin: Bool) async throws {
    let setting = Setting(cacheBytes: 1 << 20)
    for method in [HTTP.Method.get, .head] {
      let answer = try await setting.send(method, known, isAdmin: isAdmin)
      #expect(answer.status == .notModified && answer.byteCount == 100)
    }
    let head = try await setting.send(.head, range, isAdmin: isAdmin)
    #expect(head.status == .ok && head.byteCount == 100)
    for (fields, status) in [
      ([(.range, "bytes=100-")], 416), ([(.ifMatch, "\"y\"")], 412),
    ] as [([(HeaderName, HeaderValue)], Int)] {
      #expect(try await setting.send(.get, fields, isAdmin: isAdmin).status.code == status)
    }
    #expect(setting.source.reads == [] && setting.cache.statistics.answers == 0)
  }

  @Test func `a range that is not for the cache is all that is read`() async throws {
    // With a token; and without one, a picture that is too large for the cache, or no cache.
    for (cacheBytes, isAdmin) in [(1 << 20, true), (500, false), (0, false)] {
      let setting = Setting(cacheBytes: cacheBytes)
      let part = try await setting.send(.get, range, isAdmin: isAdmin)
      #expect(part.status == .partialContent && part.body == Source.whole.slice(10..<20))
      #expect(part.headers[.contentRange]?.text == "bytes 10-19/100")
      let whole = try await setting.send(.get, isAdmin: isAdmin)
      #expect(whole.status == .ok && whole.body == Source.whole)
      #expect(setting.source.reads == [10..<20, 0..<100])
      #expect(setting.cache.statistics.answers == 0)
    }
  }

  @Test func `a range for the cache reads the whole once`() async throws {
    let setting = Setting(cacheBytes: 1 << 20)
    for _ in 0..<3 {
      let part = try await setting.send(.get, range, isAdmin: false)
      #expect(part.status == .partialContent && part.body == Source.whole.slice(10..<20))
      #expect(try await setting.send(.get, isAdmin: false).body == Source.whole)
      #expect(try await setting.send(.get, known, isAdmin: false).status == .notModified)
    }
    #expect(setting.source.reads == [0..<100] && setting.cache.statistics.answers == 1)
  }

  @Test(arguments: [true, false])
  func `a store that fails is a problem, and is not cached`(isAdmin: Bool) async throws {
    let setting = Setting(cacheBytes: 1 << 20)
    for (error, status) in [
      (MemeError.storageStarved(Problem(.internalError)), 503),
      (MemeError.storage(Problem(.internalError)), 500),
    ] {
      setting.source.fail(with: error)
      for fields in [[], range] {
        let answer = try await setting.send(.get, fields, isAdmin: isAdmin)
        #expect(answer.status.code == status)
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(answer.headers[.etag] == nil && answer.headers[.contentRange] == nil)
      }
      // The row is all that these need.
      #expect(try await setting.send(.head, isAdmin: isAdmin).status == .ok)
    }
    #expect(setting.cache.statistics.answers == 0)
  }
}
