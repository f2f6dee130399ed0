import HTTP
import Testing

struct AllowedOriginsTests {
  private func fields(
    _ origins: AllowedOrigins, _ origin: HeaderValue?, preflight: Bool = false
  ) throws -> [String: String] {
    var response = Response.noContent
    var request = Headers()
    request[.origin] = origin
    if preflight { request[.accessControlRequestMethod] = "DELETE" }
    let head = RequestHead(
      method: .options, target: try RequestTarget("/"), headers: request, id: RequestID(random: 1),
      peer: "")
    origins.grant("GET, OPTIONS", to: head, in: &response)
    origins.share(&response, with: origin)
    return Dictionary(
      uniqueKeysWithValues: response.headers.fields.map { ($0.name.text, $0.value.text) })
  }

  private let listed = AllowedOrigins.listed(["https://a.example", "http://b.example:81"])

  @Test func `without allowed origins no response has CORS headers`() throws {
    for origin in [nil, "null", "https://a.example"] as [HeaderValue?] {
      #expect(try fields(.none, origin) == [:])
      #expect(try fields(.none, origin, preflight: true) == [:])
    }
  }

  @Test(arguments: ["https://a.example", "http://b.example:81"] as [HeaderValue])
  func `a page of a listed origin may read the response`(origin: HeaderValue) throws {
    let fields = try fields(listed, origin)
    #expect(fields["access-control-allow-origin"] == origin.text)
    #expect(fields["access-control-expose-headers"]?.contains("ETag") == true)
    #expect(fields["vary"] == "Origin")
    #expect(fields["access-control-allow-methods"] == nil)
  }

  @Test(
    arguments: [
      nil, "", "null", "*", "https://a.example.evil.example", "https://a.example:443",
      "http://a.example", "https://A.example", "https://a.example/", " https://a.example",
      "https://a.example, http://b.example:81", "http://b.example", "https://sub.a.example",
    ] as [HeaderValue?])
  func `other origins may not, and the response varies by Origin`(origin: HeaderValue?) throws {
    for preflight in [false, true] {
      #expect(try fields(listed, origin, preflight: preflight) == ["vary": "Origin"])
    }
  }

  @Test func `if any origin is allowed, the response is the same for all`() throws {
    for origin in [nil, "null", "https://x.example"] as [HeaderValue?] {
      let fields = try fields(.any, origin)
      #expect(fields["access-control-allow-origin"] == "*")
      #expect(fields["vary"] == nil)
      #expect(fields["access-control-allow-credentials"] == nil)
    }
  }

  @Test func `a preflight response lists the allowed methods and headers`() throws {
    for origins in [listed, .any] {
      let fields = try fields(origins, "https://a.example", preflight: true)
      #expect(fields["access-control-allow-methods"] == "GET, OPTIONS")
      #expect(fields["access-control-allow-headers"]?.contains("If-Match") == true)
      #expect(fields["access-control-max-age"] == "7200")
      #expect(fields["access-control-allow-credentials"] == nil)
    }
    #expect(try fields(.any, nil, preflight: true)["access-control-allow-methods"] == nil)
  }
}
