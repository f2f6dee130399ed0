package import Memes
import Testing
import Wire

extension TestServer {
  /// Sends a request that costs little. The server rejects it for its empty body or its media type.
  package func ask(
    _ method: String, _ target: String, token: String? = nil, from client: String? = nil
  ) async throws -> Answer {
    try await send(method, target, headers: Self.fields(token, client), body: [])
  }

  /// Repeats a request until it is rejected for its rate, at most three times as often as the limit allows.
  ///
  /// - Returns: the rejection, checked against the contract, or the last other response; and the number of requests
  ///   that passed.
  package func exhaust(
    _ limit: Limit, _ method: String, _ target: String, token: String? = nil,
    from client: String? = nil
  ) async throws -> (answer: Answer, passed: Int) {
    let fields = Self.fields(token, client)
    var (response, passed) = (
      try await sendUnchecked(method, target, headers: fields, body: []), 0
    )
    while response.status != 429, passed < 3 * limit.rate.burst {
      passed += 1
      response = try await sendUnchecked(method, target, headers: fields, body: [])
    }
    #expect(try ContractCheck.shared.get().violations(of: response, to: method, target) == [])
    return (Answer(response), passed)
  }

  private static func fields(_ token: String?, _ client: String?) -> [(String, String)] {
    (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
      + (client.map { [("X-Forwarded-For", $0)] } ?? []) + [("Content-Type", "text/plain")]
  }
}
