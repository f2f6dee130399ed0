import Bytes
import HTTP
import Synchronization
import Testing

/// Responses whose bytes are read only if they are sent.
struct RemoteResponseTests {
  private final class Source: RemoteBytes {
    let count = 10
    let reads = Mutex<[Range<Int>]>([])

    func bytes(in range: Range<Int>) async throws -> Bytes {
      reads.withLock { $0.append(range) }
      return try #require(Bytes("0123456789").slice(range))
    }
  }

  private func answer(
    _ fields: [(HeaderName, HeaderValue)], _ method: Method = .get, of source: Source
  ) throws -> Response {
    var whole = Response(.ok, headers: Headers([(.etag, "\"x\""), (.acceptRanges, "bytes")]))
    whole.remote = RemotePart(source)
    #expect(whole.byteCount == 10)
    let head = RequestHead(
      method: method, target: try RequestTarget("/"), headers: Headers(fields),
      id: RequestID(random: 1), peer: "")
    return try whole.answering(head)
  }

  @Test func `the whole is read once`() async throws {
    let source = Source()
    let answer = try answer([], of: source)
    #expect(answer.status == .ok && answer.remote != nil)
    #expect(source.reads.withLock(\.self) == [])
    let loaded = try await answer.loaded()
    #expect(loaded.remote == nil && loaded.body == Bytes("0123456789"))
    #expect(loaded.headers == answer.headers)
    _ = try await loaded.loaded()
    #expect(source.reads.withLock(\.self) == [0..<10])
  }

  @Test func `a range is all that is read`() async throws {
    for (range, part) in [("bytes=2-4", 2..<5), ("bytes=-3", 7..<10), ("bytes=9-", 9..<10)] {
      let source = Source()
      let answer = try answer([(.range, try #require(HeaderValue(range)))], of: source)
      #expect(answer.status == .partialContent && answer.byteCount == part.count)
      #expect(
        answer.headers[.contentRange]?.text
          == "bytes \(part.lowerBound)-\(part.upperBound - 1)/10")
      #expect(try await answer.loaded().body == Bytes("0123456789").slice(part))
      #expect(source.reads.withLock(\.self) == [part])
    }
  }

  @Test(arguments: [Method.get, .head])
  func `a 304 and HEAD keep the length without reading`(method: Method) throws {
    let source = Source()
    let known = try answer([(.ifNoneMatch, "\"x\"")], method, of: source)
    #expect(known.status == .notModified && known.byteCount == 10 && known.body.isEmpty)
    #expect(try answer([(.range, "bytes=2-4")], .head, of: source).byteCount == 10)
    #expect(source.reads.withLock(\.self) == [])
  }

  @Test func `a refusal reads nothing`() {
    let source = Source()
    for fields in [
      [(.range, "bytes=10-")], [(.ifMatch, "\"y\"")],
    ] as [[(HeaderName, HeaderValue)]] {
      #expect(throws: Problem.self) { try answer(fields, of: source) }
    }
    #expect(source.reads.withLock(\.self) == [])
  }
}
