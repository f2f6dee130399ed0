package import Memes
import Testing

extension TestServer {
  /// A request that costs nothing but its count: it is refused for its empty body, or for what its body is said to be.
  package func ask(
    _ method: String, _ target: String, token: String? = nil, from client: String? = nil
  ) async throws -> Answer {
    let headers =
      (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
      + (client.map { [("X-Forwarded-For", $0)] } ?? []) + [("Content-Type", "text/plain")]
    return try await send(method, target, headers: headers, body: Array("x".utf8))
  }

  /// Asks until that is refused for its frequency, three times as often as the limit allows at most.
  ///
  /// - Returns: the refusal, or what else came last, and how many requests got through.
  package func exhaust(
    _ limit: Limit, _ method: String, _ target: String, token: String? = nil,
    from client: String? = nil
  ) async throws -> (answer: Answer, passed: Int) {
    var passed = 0
    var answer = try await ask(method, target, token: token, from: client)
    while answer.status != 429, passed < 3 * limit.rate.burst {
      passed += 1
      answer = try await ask(method, target, token: token, from: client)
    }
    return (answer, passed)
  }
}
