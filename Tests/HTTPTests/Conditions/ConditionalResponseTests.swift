import Bytes
import HTTP
import Testing

/// Tests RFC 9110 §13.2.2 with a picture of ten bytes and the tag "x".
struct ConditionalResponseTests {
  private let whole = Response(
    .ok,
    headers: Headers([
      (.contentType, "image/png"), (.etag, "\"x\""), (.cacheControl, "public"), (.vary, "Origin"),
      (.link, "<y>"), (.acceptRanges, "bytes"), (.crossOriginResourcePolicy, "cross-origin"),
      (.xContentTypeOptions, "nosniff"),
    ]), body: Bytes("0123456789"))

  private func answer(
    _ fields: [(HeaderName, HeaderValue)], _ method: Method = .get, to response: Response? = nil
  ) throws(Problem) -> Response {
    let head = RequestHead(
      method: method, target: try RequestTarget("/"), headers: Headers(fields),
      id: RequestID(random: 1), peer: "")
    return try (response ?? whole).answering(head)
  }

  private func problem(_ fields: [(HeaderName, HeaderValue)]) -> Problem? {
    do throws(Problem) {
      _ = try answer(fields)
      return nil
    } catch { return error }
  }

  @Test func `without a condition the response is unchanged`() throws {
    let answer = try answer([(.accept, "*/*"), (.ifRange, "\"y\"")])
    #expect(answer.status == .ok && answer.headers == whole.headers && answer.body == whole.body)
  }

  @Test(
    arguments: ["\"x\"", "W/\"x\"", "*", "\"a\", \"x\"", "\"a\", W/\"x\""] as [HeaderValue],
    [Method.get, .head])
  func `a client that has the current version gets 304`(tags: HeaderValue, method: Method) throws {
    let answer = try answer([(.ifNoneMatch, tags)], method)
    #expect(answer.status == .notModified)
    // The body provides the Content-Length.
    #expect(answer.body == whole.body)
    #expect(
      answer.headers.fields.map(\.name) == [
        .etag, .cacheControl, .vary, .crossOriginResourcePolicy, .xContentTypeOptions,
      ]
    )
  }

  @Test(arguments: ["\"y\"", "W/\"y\"", "x", "", "\"x", "*, \"x\"", "\"X\""] as [HeaderValue])
  func `other and malformed tags get the full response`(tags: HeaderValue) throws {
    #expect(try answer([(.ifNoneMatch, tags)]).status == .ok)
  }

  @Test func `two fields are one list of tags`() throws {
    let fields: [(HeaderName, HeaderValue)] = [(.ifNoneMatch, "\"a\""), (.ifNoneMatch, "\"x\"")]
    #expect(try answer(fields).status == .notModified)
  }

  @Test func `If-Match requires a strong match with one of its tags`() throws {
    for tags in ["\"x\"", "*", "\"a\", \"x\""] as [HeaderValue] {
      #expect(try answer([(.ifMatch, tags)]).status == .ok)
    }
    for tags in ["\"y\"", "W/\"x\"", "\"a\", W/\"x\""] as [HeaderValue] {
      #expect(problem([(.ifMatch, tags)])?.kind == .preconditionFailed)
    }
    for tags in ["x", "", "\"x", "*, \"x\""] as [HeaderValue] {
      #expect(problem([(.ifMatch, tags)])?.kind == .malformedRequest)
    }
  }

  @Test func `If-Match takes precedence over If-None-Match, and both over Range`() throws {
    #expect(
      problem([(.ifNoneMatch, "\"x\""), (.ifMatch, "\"y\"")])?.kind == .preconditionFailed)
    #expect(
      try answer([(.range, "bytes=99-"), (.ifNoneMatch, "\"x\""), (.ifMatch, "\"x\"")]).status
        == .notModified)
    #expect(
      problem([(.range, "bytes=99-"), (.ifMatch, "\"y\"")])?.kind == .preconditionFailed)
  }

  @Test func `a partial response keeps the headers and shares the memory`() throws {
    let answer = try answer([(.range, "bytes=2-4")])
    #expect(answer.status == .partialContent)
    #expect(answer.headers[.contentRange]?.text == "bytes 2-4/10")
    #expect(answer.headers.fields.dropLast().elementsEqual(whole.headers.fields, by: ==))
    #expect(answer.body.utf8Text == "234")
    let start = whole.body.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    let part = answer.body.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    #expect(try #require(part) == #require(start) + 2)
  }

  @Test func `a range that begins past the end gets 416 with the length`() {
    let problem = problem([(.range, "bytes=10-")])
    #expect(problem?.kind == .rangeNotSatisfiable)
    #expect(problem?.headers[.contentRange]?.text == "bytes */10")
  }

  @Test(arguments: [
    ("\"x\"", 206), ("\"y\"", 200), ("W/\"x\"", 200), ("Sat, 21 Nov 2026 08:00:00 GMT", 200),
    ("*", 200), ("\"x\", \"x\"", 200), ("", 200),
  ])
  func `If-Range allows a part only for the matching strong tag`(tag: String, status: Int) throws {
    let value = try #require(HeaderValue(tag))
    #expect(try answer([(.range, "bytes=2-4"), (.ifRange, value)]).status.code == status)
    #expect(try answer([(.range, "bytes=99-"), (.ifRange, "\"y\"")]).status == .ok)
  }

  @Test func `conditions on dates are ignored`() throws {
    let since = try #require(HeaderName("If-Modified-Since"))
    let unmodified = try #require(HeaderName("If-Unmodified-Since"))
    let past: HeaderValue = "Thu, 01 Jan 1970 00:00:00 GMT"
    let future: HeaderValue = "Fri, 01 Jan 2100 00:00:00 GMT"
    #expect(try answer([(since, future), (unmodified, past)]).status == .ok)
  }

  @Test func `two Range fields are ignored`() throws {
    #expect(try answer([(.range, "bytes=0-1"), (.range, "bytes=3-4")]).status == .ok)
  }

  @Test func `only GET supports ranges`() throws {
    for range in ["bytes=2-4", "bytes=99-"] as [HeaderValue] {
      #expect(try answer([(.range, range)], .head).status == .ok)
    }
  }

  @Test func `a response without Accept-Ranges is sent whole`() throws {
    var plain = whole
    plain.headers[.acceptRanges] = nil
    #expect(try answer([(.range, "bytes=2-4")], to: plain).body.count == 10)
    #expect(try answer([(.range, "bytes=99-")], to: plain).status == .ok)
  }

  @Test func `an empty body has no ranges`() throws {
    var empty = whole
    empty.body = Bytes()
    for range in ["bytes=0-", "bytes=-1"] as [HeaderValue] {
      #expect(try answer([(.range, range)], to: empty).status == .ok)
    }
  }

  @Test(arguments: [201, 204, 404, 500])
  func `conditions apply only to a 200 response`(code: Int) throws {
    var other = whole
    other.status = Status(code)
    let fields: [(HeaderName, HeaderValue)] = [(.ifNoneMatch, "*"), (.range, "bytes=99-")]
    #expect(try answer(fields, to: other).status.code == code)
  }

  @Test(arguments: [Method.post, .put, .patch, .delete])
  func `conditions on changes are left to the handler`(method: Method) throws {
    #expect(try answer([(.ifMatch, "\"y\""), (.ifNoneMatch, "*")], method).status == .ok)
  }

  @Test func `conditions do not apply to a response without an ETag`() throws {
    var plain = whole
    plain.headers[.etag] = nil
    #expect(
      try answer([(.ifNoneMatch, "*"), (.ifMatch, "\"y\""), (.range, "bytes=0-1")], to: plain)
        .status == .ok)
  }
}
