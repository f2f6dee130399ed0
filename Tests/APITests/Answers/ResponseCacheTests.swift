import API
import Bytes
import Foundation
import HTTP
import Memes
import Support
import Synchronization
import Testing

struct ResponseCacheTests {
  /// A store of numbers that only grow. Each change reaches the cache before `told` counts it as published.
  private final class World: Sendable {
    private let state = Mutex<(stored: [Int], told: [Int])>(
      (Array(repeating: 0, count: 4), Array(repeating: 0, count: 4)))
    let memes = (0..<4).map { _ in MemeID(UUID()) }

    func stored(_ index: Int) -> Int { state.withLock { $0.stored[index] } }
    func sum() -> Int { state.withLock { $0.stored.reduce(0, +) } }
    func told(_ index: Int) -> Int { state.withLock { $0.told[index] } }
    func toldSum() -> Int { state.withLock { $0.told.reduce(0, +) } }

    func grow(_ index: Int, _ cache: ResponseCache) async {
      let value = state.withLock { state in
        state.stored[index] += 1
        return state.stored[index]
      }
      await Task.yield()
      cache.changed(.deleted(memes[index]))
      state.withLock { $0.told[index] = max($0.told[index], value) }
    }
  }

  private final class Deletion: Sendable {
    let isTold = Atomic(false)
  }

  private func app(_ routes: [Route], _ cache: ResponseCache) -> App {
    App(
      AppOptions(sending: SpoolPlace(directory: "/nonexistent")), routes: routes,
      authentication: Authentication(tokens: NoTokens(), anonymous: true),
      throttle: SharedThrottle(Throttle(isOn: false)), cache: cache, log: NoLog())
  }

  private func number(
    _ app: App, _ target: String, token: String? = nil
  ) async throws -> Int {
    var headers = Headers()
    if let token { headers.append(.authorization, try #require(HeaderValue("Bearer \(token)"))) }
    let head = RequestHead(
      method: .get, target: try RequestTarget(target), headers: headers,
      id: RequestID(random: 1), peer: "")
    return try #require(await app.answer(head).body.utf8Text.flatMap { Int($0) })
  }

  @Test func `a response is never older than a change published before the request`() async throws {
    let (world, cache) = (World(), ResponseCache(capacityBytes: 1 << 20))
    let app = app(
      [
        Route(.get, "/memes/{id}", access: .viewer, cachePolicy: .untilItsMemeChanges) { call in
          let index = world.memes.firstIndex { $0.description == call.parameters["id"] }
          let value = world.stored(try #require(index))
          // Other tasks may change the number before the response is cached.
          await Task.yield()
          return Response(.ok, "text/plain", Bytes("\(value)"))
        },
        Route(.get, "/memes", access: .viewer, cachePolicy: .untilMemesChange) { _ in
          let sum = world.sum()
          await Task.yield()
          return Response(.ok, "text/plain", Bytes("\(sum)"))
        },
      ], cache)
    try await withThrowingTaskGroup { group in
      for index in 0..<4 {
        group.addTask { for _ in 0..<1000 { await world.grow(index, cache) } }
        group.addTask {
          for _ in 0..<3000 {
            let (least, leastSum) = (world.told(index), world.toldSum())
            let value = try await number(app, "/memes/\(world.memes[index])")
            let sum = try await number(app, "/memes")
            #expect(value >= least)
            #expect(sum >= leastSum)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await number(app, "/memes") == 4000)
  }

  @Test func `unchanged responses come from the cache`() async throws {
    let cache = ResponseCache(capacityBytes: 1 << 20)
    let made = Mutex(0)
    let next: Route.Handler = { _ in
      let count = made.withLock { made in
        made += 1
        return made
      }
      return Response(.ok, "text/plain", Bytes("\(count)"))
    }
    let app = app(
      [
        Route(.get, "/memes", access: .viewer, cachePolicy: .untilMemesChange, next),
        Route(.get, "/fresh", access: .viewer, next),
      ], cache)
    #expect(try await number(app, "/memes") == 1)
    #expect(try await number(app, "/memes") == 1)
    #expect(try await number(app, "/memes", token: "admin") == 2)
    #expect(try await number(app, "/memes") == 1)
    #expect(try await number(app, "/fresh") == 3)
    #expect(try await number(app, "/fresh") == 4)
    cache.changed(.created(MemeID(UUID())))
    #expect(cache.statistics.bytes == 0)
    #expect(try await number(app, "/memes") == 5)
  }

  @Test func `what is drawn from a template is cached for a second, unless it changes`()
    async throws
  {
    let now = Mutex(ContinuousClock.now)
    let cache = ResponseCache(capacityBytes: 1 << 20, now: { now.withLock { $0 } })
    let template = TemplateID(UUID())
    let made = Mutex(0)
    let during = Mutex<MemeChange?>(nil)
    let app = app(
      ["/images/a", "/images/other-spelling"].map { path in
        Route(
          .get, RoutePattern(path), access: .viewer, cachePolicy: .untilItsTemplateChanges
        ) { call in
          if let change = during.withLock({ $0 }) { cache.changed(change) }
          let count = made.withLock { made in
            made += 1
            return made
          }
          var response = Response(.ok, "text/plain", Bytes("\(count)"))
          if path == "/images/a" { response.listed = [template.uuid] }
          return response
        }
      }, cache)
    func isKept(_ path: String = "/images/a", _ then: () -> Void = {}) async throws -> Bool {
      let first = try await number(app, path)
      then()
      return try await number(app, path) == first
    }
    func wait(_ duration: Duration) { now.withLock { $0 += duration } }
    #expect(try await isKept())
    #expect(try await !isKept("/images/other-spelling"))
    #expect(try await isKept { cache.changed(.edited(MemeID(UUID()))) })
    #expect(try await isKept { cache.changed(.templateChanged(TemplateID(UUID()))) })
    #expect(try await !isKept { cache.changed(.templateChanged(template)) })
    #expect(try await isKept { wait(.milliseconds(999)) })
    #expect(try await !isKept { wait(.milliseconds(1)) })
    wait(.seconds(1))
    during.withLock { $0 = .templateChanged(template) }
    #expect(try await !isKept())
  }

  @Test func `a page is cached even if other memes change while it is made`() async throws {
    let cache = ResponseCache(capacityBytes: 1 << 20)
    let shown = MemeID(UUID())
    let made = Mutex(0)
    let during = Mutex<[MemeChange]>([])
    let app = app(
      [
        Route(.get, "/memes", access: .viewer, cachePolicy: .untilMemesChange) { _ in
          for change in during.withLock({ $0 }) { cache.changed(change) }
          let count = made.withLock { made in
            made += 1
            return made
          }
          var response = Response(.ok, "text/plain", Bytes("\(count)"))
          response.listed = [shown.uuid]
          return response
        }
      ], cache)
    func isKept(after changes: [MemeChange]) async throws -> Bool {
      cache.changed(.many)
      during.withLock { $0 = changes }
      let first = try await number(app, "/memes")
      return try await number(app, "/memes") == first
    }
    let other = { MemeChange.counted(MemeID(UUID())) }
    #expect(try await isKept(after: [other(), other()]))
    #expect(try await isKept(after: (0..<64).map { _ in other() }))
    #expect(try await !isKept(after: (0..<65).map { _ in other() }))
    #expect(try await !isKept(after: [other(), .counted(shown), other()]))
    #expect(try await !isKept(after: [.created(MemeID(UUID()))]))
  }

  @Test func `a deleted meme is gone from every address at once, even under concurrent reads`()
    async throws
  {
    try await withServer { server in
      for _ in 0..<5 {
        let answer = try await server.upload(.moving).expect(201)
        let url = try #require(answer["location"])
        let targets = [
          url, "\(url)?", "\(url)/image", "\(url)/thumbnail", "\(url)/thumbnail?view=table",
        ]
        let deletion = Deletion()
        try await withThrowingTaskGroup { group in
          for target in targets {
            group.addTask {
              for _ in 0..<20 {
                let mustBeGone = deletion.isTold.load(ordering: .sequentiallyConsistent)
                let status = try await server.get(target).status
                #expect(status == 410 || !mustBeGone && status == 200)
              }
            }
          }
          group.addTask {
            try await server.delete(url, token: answer["meme-delete-token"]).expect(204)
            deletion.isTold.store(true, ordering: .sequentiallyConsistent)
            try await server.get("/memes").expect(200, lacking: [url])
          }
          try await group.waitForAll()
        }
        for target in targets { try await server.get(target).expect(410, problem: "gone") }
      }
    }
  }
}
