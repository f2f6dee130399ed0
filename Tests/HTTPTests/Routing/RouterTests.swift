import HTTP
import Testing

struct RouterTests {
  private let router: Router<String> = {
    var router = Router<String>()
    router.add(.get, "/memes", "list")
    router.add(.post, "/memes", "post")
    router.add(.post, "/memes/preview", "preview")
    router.add(.get, "/memes/{id}", "detail")
    router.add(.get, "/memes/{id}/image", "image")
    router.add(.delete, "/memes/{id}", "delete")
    return router
  }()

  @Test func `a path matches its route and its parameters`() throws {
    let match = try router.match(.get, ["memes", "a/b", "image"])
    #expect(match.endpoint == "image")
    #expect(match.parameters["id"] == "a/b")
    #expect(match.parameters["other"] == nil)
  }

  @Test func `the rest of a path matches any number of segments, but not none`() throws {
    var router = router
    router.add(.get, "/images/{template}", "example")
    router.add(.get, RoutePattern("/images/{template}/{lines}").matchingRest, "drawn")
    router.add(.get, "/images/{template}/about/us", "about")
    for rest in [["a"], ["a", "b", "c"], ["a/b", "", "c"], [""], ["a", "about"]] {
      let match = try router.match(.get, ["images", "x"] + rest)
      #expect(match.endpoint == "drawn" && match.parameters.rest == rest)
      #expect(match.parameters["template"] == "x" && match.parameters["lines"] == nil)
    }
    #expect(try router.match(.get, ["images", "x"]).endpoint == "example")
    #expect(try router.match(.get, ["images", "x", "about", "us"]).endpoint == "about")
    #expect(Set(try router.endpoints(at: ["images", "x", "a", "b"]).keys) == [.get])
    #expect { try router.match(.post, ["images", "x", "a"]) } throws: {
      ($0 as? Problem)?.kind == .methodNotAllowed
    }
    // A literal segment is not left again.
    for segments in [["images"], ["images", "", "a"], ["images", "x", "about"]] {
      #expect { try router.match(.get, segments) } throws: { ($0 as? Problem)?.kind == .notFound }
    }
  }

  @Test func `a literal segment takes precedence over a parameter`() throws {
    #expect(try router.match(.post, ["memes", "preview"]).endpoint == "preview")
  }

  @Test func `HEAD is routed like GET`() throws {
    #expect(try router.match(.head, ["memes"]).endpoint == "list")
  }

  @Test func `an unknown path gets 404`() {
    for segments in [[], ["meme"], ["memes", ""], ["memes", "1", "image", "x"]] {
      #expect { try router.match(.get, segments) } throws: { ($0 as? Problem)?.kind == .notFound }
    }
  }

  @Test func `a path lists its methods`() throws {
    #expect(Set(try router.endpoints(at: ["memes", "1"]).keys) == [.get, .delete])
    #expect(router.methods == [.get, .post, .delete])
    #expect(throws: Problem.self) { try router.endpoints(at: ["meme"]) }
    #expect(throws: Problem.self) { try router.endpoints(at: []) }
  }

  @Test func `Allow has HEAD with GET, and always OPTIONS`() {
    #expect(Method.allow([.delete, .get]).text == "GET, HEAD, DELETE, OPTIONS")
    #expect(Method.allow([.post]).text == "POST, OPTIONS")
    #expect(Method.allow([]).text == "OPTIONS")
  }

  @Test func `another method on a known path gets 405 with Allow`() {
    #expect { try router.match(.put, ["memes", "1"]) } throws: {
      ($0 as? Problem)?.kind == .methodNotAllowed
        && ($0 as? Problem)?.headers[.allow]?.text == "GET, HEAD, DELETE, OPTIONS"
    }
  }
}
