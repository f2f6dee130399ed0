import Foundation
import HTTP
import Support
import Testing
import Wire
import mememe

@testable import API

struct MetricsTests {
  private func requests(
    _ route: String, _ method: String, _ status: String, in metrics: Exposition
  ) -> Double {
    metrics.value(
      "mememe_http_requests_total", ["route": route, "method": method, "status": status])
  }

  @Test func `metrics use the Prometheus text format and are not cached`() async throws {
    try await withServer { server in
      let answer = try await server.get("/metrics").expect(200)
      #expect(answer["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(answer["cache-control"] == "no-store")
      let metrics = try Exposition(parsing: answer.response.text)
      #expect(metrics.families.allSatisfy { !$0.help.isEmpty })
      for name in [
        "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds",
        "process_max_fds", "process_start_time_seconds", "mememe_sqlite_database_bytes",
        "mememe_disk_free_bytes", "mememe_render_workers",
      ] {
        #expect(metrics.value(name) > 0, "\(name)")
      }
      #expect(metrics.samples("mememe_build_info").first?.labels["version"] == "0.2.0")
      let age = Date().timeIntervalSince1970 - metrics.value("process_start_time_seconds")
      #expect((0..<60).contains(age))
    }
  }

  @Test func `each status of a response is counted by its number`() {
    let redirects: [Status] = [.movedPermanently, .found, .permanentRedirect]
    for status in ProblemKind.all.map(\.status) + redirects {
      #expect(RequestMeter.statuses.contains(status.code))
    }
  }

  @Test func `counters grow by exactly the work done`() async throws {
    // This server has its own render pool, which does not count the renders of other servers.
    try await withServer({ $0.renderWorkers = 2 }) { server in
      let before = try await server.metrics()
      let url = try #require(try await server.upload().expect(201)["location"])
      let image = try await server.get("\(url)/image").expect(200)
      _ = try await server.send("HEAD", "\(url)/image")
      try await server.get("/memes/\(UUID().uuidString.lowercased())").expect(404)
      let broken = Array(try Fixture.photo.bytes.prefix(5000))
      try await server.post([.file("image", broken)]).expect(422)
      let after = try await server.metrics { metrics in
        requests("/memes", "POST", "422", in: metrics) == 1
          && requests("/memes/{id}", "GET", "404", in: metrics) == 1
      }
      #expect(requests("/memes", "POST", "201", in: after) == 1)
      #expect(requests("/memes/{id}/image", "GET", "200", in: after) == 1)
      #expect(requests("/memes/{id}/image", "HEAD", "200", in: after) == 1)
      #expect(
        after.value("mememe_http_response_body_bytes_total", ["route": "/memes/{id}/image"])
          == Double(image.response.body.count))
      #expect(
        after.value("mememe_http_request_duration_seconds_count", ["route": "/memes"]) == 2)
      for (name, growth) in [
        ("mememe_render_duration_seconds_count", 1), ("mememe_renders_failed_total", 1),
        ("mememe_renders_refused_total", 0), ("mememe_renders_late_total", 0),
      ] {
        #expect(after.value(name) - before.value(name) == Double(growth), "\(name)")
      }
      // The second request for the picture hits the response that the first one cached.
      #expect(after.value("mememe_answers_from_memory_total") >= 1)
      #expect(after.value("mememe_answers_kept") >= 1)
      #expect(after.value("mememe_answers_kept_bytes") > Double(image.response.body.count))
      #expect(after.value("mememe_log_lines_lost_total") == 0)
      // The server also commits on its own. The tests of the SQLite module count exactly.
      #expect(
        after.value("mememe_sqlite_commits_total") > before.value("mememe_sqlite_commits_total"))
      #expect(after.value("mememe_memes", ["state": "visible"]) == 1)
      #expect(after.value("mememe_memes", ["state": "deleted"]) == 0)
      // The meme, its original and its thumbnails remain.
      let meme = try await server.get(url).expect(200).json
      let stored =
        after.value("mememe_picture_bytes") - Double(meme.image.bytes.int ?? 0)
        - Double(try Fixture.photo.bytes.count)
      #expect(stored > 0 && stored < 200_000)
    }
  }

  @Test func `memes in the trash are counted separately`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload().expect(201)["location"])
      try await server.delete(url, token: server.adminToken).expect(204)
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_memes", ["state": "visible"]) == 0)
      #expect(metrics.value("mememe_memes", ["state": "deleted"]) == 1)
      #expect(metrics.value("mememe_picture_bytes") > 0)
    }
  }

  @Test func `client input cannot create time series`() async throws {
    try await withServer { server in
      for number in 0..<20 {
        _ = try await server.get("/no-\(number)/\"}\\x%0A")
        _ = try await server.get("/memes/\(number)")
        _ = try await server.send("BREW\(number)", "/memes")
      }
      let metrics = try await server.metrics { metrics in
        requests("unmatched", "GET", "404", in: metrics) == 20
          && requests("unmatched", "other", "501", in: metrics) == 20
      }
      #expect(requests("unmatched", "GET", "404", in: metrics) == 20)
      #expect(requests("unmatched", "other", "501", in: metrics) == 20)
      #expect(requests("/memes/{id}", "GET", "404", in: metrics) == 20)
      let patterns = Set(server.routes.map(\.pattern.text)).union(["unmatched"])
      for family in metrics.families {
        for sample in family.samples {
          if let route = sample.labels["route"] { #expect(patterns.contains(route)) }
        }
      }
      let durations = metrics.samples("mememe_http_request_duration_seconds_count")
      #expect(Set(durations.compactMap { $0.labels["route"] }) == patterns)
    }
  }

  @Test func `open and accepted connections are counted`() async throws {
    try await withLiveServer({ $0.maxConnections = 3 }) { server in
      let before = try await server.metrics()
      let kept = [try server.connect(), try server.connect()]
      for client in kept {
        _ = try await client.request("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
      }
      let during = try await server.metrics { $0.value("mememe_http_connections_open") == 3 }
      #expect(during.value("mememe_http_connections_open") == 3)
      let accepted = "mememe_http_connections_accepted_total"
      #expect(during.value(accepted) - before.value(accepted) >= 3)
      for client in kept { client.vanish() }
      let after = try await server.metrics { $0.value("mememe_http_connections_open") == 1 }
      #expect(after.value("mememe_http_connections_open") == 1)
      #expect(after.samples("mememe_http_connections_cut_total").count >= 4)
    }
  }

  @Test func `a separate metrics address serves only metrics`() async throws {
    try await withLiveServer({ $0.metricsAddress = HostAndPort(host: "127.0.0.1", port: 0) }) {
      server in
      try await server.get("/metrics").expect(404, problem: "not-found")
      let url = try #require(server.metricsURL.flatMap { URL(string: $0) })
      let port = UInt16(clamping: url.port ?? 0)
      #expect(url.path == "/metrics" && Int(port) != server.port)
      func get(_ target: String) async throws -> WireResponse {
        try await WireClient(port: port).request(
          "GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      }
      let answer = try await get("/metrics")
      #expect(answer.status == 200)
      let metrics = try Exposition(parsing: answer.text)
      #expect(requests("unmatched", "GET", "404", in: metrics) == 1)
      #expect(try await get("/memes").status == 404)
    }
  }

  @Test func `local metrics need no token, even without anonymous access`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      try await server.get("/metrics").expect(200)
      try await server.get("/metrics", token: "whatever").expect(200)
      try await server.get("/memes").expect(401)
    }
  }

  @Test func `metrics are served to admins and to the local machine only`() async throws {
    try await withServer({
      $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
    }) { server in
      let ada = try await server.signUp("ada")
      func ask(_ mark: (String, String), token: String?) async throws -> Int {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return try await server.send("GET", "/metrics", headers: [mark] + authorization).status
      }
      for mark in [
        ("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-For", "127.0.0.1"),
        ("Forwarded", "for=127.0.0.1"), ("Via", "1.1 proxy"),
      ] {
        #expect(try await ask(mark, token: nil) == 401)
        #expect(try await ask(mark, token: "whatever") == 401)
        #expect(try await ask(mark, token: ada) == 403)
        #expect(try await ask(mark, token: server.adminToken) == 200)
      }
    }
  }

  @Test func `the HSTS header is sent only if configured`() async throws {
    let name = "strict-transport-security"
    try await withServer({ $0.hstsSeconds = 31_536_000 }) { server in
      for target in ["/healthz", "/nothing", "/"] {
        let answer = try await server.get(target)
        #expect(answer[name] == "max-age=31536000")
      }
    }
    try await withServer { server in
      let answer = try await server.get("/healthz")
      #expect(answer[name] == nil)
    }
  }
}
