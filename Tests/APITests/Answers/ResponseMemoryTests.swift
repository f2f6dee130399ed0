import API
import Bytes
import Foundation
import HTTP
import Memes
import Support
import Synchronization
import Testing

/// The memory of bodies that clients have not received yet.
struct ResponseMemoryTests {
  /// Counts bodies in memory.
  private final class Bodies: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock(\.self) }

    func response(_ byteCount: Int, isFile: Bool = false) -> Response {
      state.withLock { $0 += 1 }
      // Filled before it is shared, and freed once.
      nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: byteCount, alignment: 1)
      memory.initializeMemory(as: UInt8.self, repeating: 7)
      let body = Bytes(adopting: UnsafeRawBufferPointer(memory), isFile: isFile) { [self] in
        memory.deallocate()
        state.withLock { $0 -= 1 }
      }
      return Response(
        .ok,
        headers: Headers([
          (.contentType, "image/png"), (.etag, "\"x\""), (.acceptRanges, "bytes"),
        ]), body: body)
    }
  }

  private let bodies = Bodies()
  private let app: App

  /// With 100 KB of memory for bodies, and no room on the disk.
  init() {
    let bodies = bodies
    app = App(
      AppOptions(sending: SpoolPlace(directory: "/nonexistent", memoryBytes: 100_000) { false }),
      routes: [
        Route(.get, "/large", access: .open) { _ in bodies.response(80_000) },
        Route(.post, "/large", access: .open) { _ in bodies.response(80_000) },
        Route(.get, "/small", access: .open) { _ in bodies.response(60_000) },
        Route(.get, "/file", access: .open) { _ in bodies.response(200_000, isFile: true) },
      ],
      authentication: Authentication(tokens: NoTokens(), anonymous: true),
      throttle: SharedThrottle(Throttle(isOn: false)), cache: ResponseCache(capacityBytes: 0),
      log: NoLog())
  }

  private func send(
    _ path: String, _ method: HTTP.Method = .get, _ fields: [(HeaderName, HeaderValue)] = []
  ) async throws -> Response {
    let head = RequestHead(
      method: method, target: try RequestTarget(path), headers: Headers(fields),
      id: RequestID(random: 1), peer: "")
    return try await app.answer(head)
  }

  @Test func `large bodies that wait share a budget, and small ones need none`() async throws {
    var first: Response? = try await send("/large")
    #expect(first?.status == .ok && first?.byteCount == 80_000)
    #expect(try await send("/large").status.code == 503)
    #expect(try await send("/small").byteCount == 60_000)
    #expect(try await send("/file").byteCount == 200_000)
    // The change was made, so its response is sent.
    #expect(try await send("/large", .post).byteCount == 80_000)
    first = nil
    #expect(try await send("/large").status == .ok)
  }

  @Test func `a response with a part, or without the body, frees the whole`() async throws {
    let head = try await send("/large", .head)
    #expect(head.status == .ok && head.byteCount == 80_000)
    let known = try await send("/large", .get, [(.ifNoneMatch, "\"x\"")])
    #expect(known.status == .notModified && known.byteCount == 80_000)
    let part = try await send("/large", .get, [(.range, "bytes=0-9")])
    #expect(part.status == .partialContent && part.body == Bytes([UInt8](repeating: 7, count: 10)))
    #expect(bodies.count == 0)
  }
}
