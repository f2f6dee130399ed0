import API
import Bytes
import Foundation
import HTTP
import Memes
import Support
import Testing

/// The memory of bodies that clients have not received yet.
struct ResponseMemoryTests {
  private struct NoTokens: TokenKeeper {
    func deleteToken(for thing: ResourceRef) -> String { "" }
    func isDeleteToken(_ token: String, for thing: ResourceRef) -> Bool { false }
    func isAdminToken(_ token: String) -> Bool { false }
  }

  private struct NoLog: AppLog {
    let takesAccess = false
    func access(_ record: AccessRecord) {}
    func failure(_ cause: String, id: RequestID) {}
  }

  /// Has 100 KB of memory for bodies, and no room on the disk.
  private let app = App(
    AppOptions(
      sending: SpoolPlace(directory: "/nonexistent", memoryBytes: 100_000) { false }),
    routes: [
      Route(.get, "/large", access: .open) { _ in Self.answer(80_000) },
      Route(.get, "/small", access: .open) { _ in Self.answer(60_000) },
    ],
    authentication: Authentication(tokens: NoTokens(), anonymous: true),
    throttle: SharedThrottle(Throttle(isOn: false)), cache: ResponseCache(capacityBytes: 0),
    log: NoLog())

  private static func answer(_ count: Int) -> Response {
    var response = Response(.ok, "image/png", Bytes([UInt8](repeating: 7, count: count)))
    response.headers[.acceptRanges] = "bytes"
    response.headers[.etag] = "\"x\""
    return response
  }

  private func send(
    _ path: String, _ method: HTTP.Method = .get, _ fields: [(HeaderName, HeaderValue)] = []
  ) async throws -> Response {
    let head = RequestHead(
      method: method, target: try RequestTarget(path), headers: Headers(fields),
      id: RequestID(random: 1), peer: "")
    return switch await app.admit(head).decided().verdict {
    case .answer(let known), .refuse(let known): known
    case .read(_, let answer): await answer(Request(head: head, body: .none))
    case .wait: throw Problem(.internalError)
    }
  }

  @Test func `large bodies that wait share a budget, and small ones need none`() async throws {
    var first: Response? = try await send("/large")
    #expect(first?.status == .ok && first?.byteCount == 80_000)
    #expect(try await send("/large").status.code == 507)
    #expect(try await send("/small").byteCount == 60_000)
    #expect(try await send("/large", .head).status == .ok)
    #expect(try await send("/large", .get, [(.ifNoneMatch, "\"x\"")]).status == .notModified)
    let part = try await send("/large", .get, [(.range, "bytes=0-9")])
    #expect(part.status == .partialContent && part.body == Bytes([UInt8](repeating: 7, count: 10)))
    first = nil
    #expect(try await send("/large").status == .ok)
  }
}
