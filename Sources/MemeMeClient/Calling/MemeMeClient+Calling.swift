import Foundation

extension MemeMeClient {
  /// The largest JSON that is taken: a page of a hundred memes with all their captions stays below.
  private static let largestJSONBytes = 64 << 20

  /// Makes a call and reads its answer as JSON.
  func value<Value: Decodable & Sendable>(
    _ call: Call, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await answer(call).decoded()
  }

  /// Makes a call whose answer has no body.
  ///
  /// - Parameter status: the one that the answer must have: what stands between client and server, such as a page to sign
  ///   in to a network by, tells of success too.
  func perform(_ call: Call, expecting status: Int = 204) async throws {
    let answer = try await answer(call)
    guard answer.head.status == status else { throw answer.failure }
  }

  /// Makes a call, as often as it may be made.
  ///
  /// - Parameter largest: how many bytes an answer may have.
  /// - Returns: an answer that tells of success.
  func answer(_ call: Call, atMost largest: Int = Self.largestJSONBytes) async throws -> Answer {
    try await limited {
      try await repeating(call) {
        try await open(call).collect(atMost: largest)
      }
    }
  }

  /// Runs `body` until the deadline.
  func limited<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let deadline else { return try await body() }
    return try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: deadline)
        throw MemeMeError.timeout
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw MemeMeError.timeout }
      return result
    }
  }

  /// Makes a call again where that may help.
  func repeating<Result>(
    _ call: Call, _ attempt: () async throws -> Result
  ) async throws -> Result {
    var attempts = 1
    while true {
      do { return try await attempt() } catch let error as MemeMeError {
        guard call.isRepeatable, let pause = retries.pause(after: attempts, error) else {
          throw error
        }
        try await Task.sleep(for: pause)
        attempts += 1
      }
    }
  }

  /// Makes a call once.
  ///
  /// - Returns: an answer that tells of success, whose body still comes.
  func open(_ call: Call) async throws -> IncomingAnswer {
    let answer = try await transport.open(try request(for: call), progress: call.progress)
    guard answer.head.isSuccess else {
      throw try await answer.collect(atMost: Self.largestJSONBytes).failure
    }
    return answer
  }

  private func request(for call: Call) throws -> OutgoingRequest {
    var base = url.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let address = URL(string: base + call.target) else {
      throw MemeMeError.connection(.badURL)
    }
    var request = OutgoingRequest(
      method: call.operation.method, url: address, fields: call.headers, body: call.body,
      silence: max(.seconds(1), silence + call.patience), isRepeatable: call.isRepeatable)
    request.fields["Accept"] = call.accept
    if let token { request.fields["Authorization"] = "Bearer \(token.secret)" }
    if let version = call.version { request.fields["If-Match"] = "\"\(version)\"" }
    if let key = call.key { request.fields["Idempotency-Key"] = key.text }
    switch call.body {
    case .none: break
    case .json: request.fields["Content-Type"] = "application/json"
    case .file(_, let contentType): request.fields["Content-Type"] = contentType
    }
    return request
  }
}
