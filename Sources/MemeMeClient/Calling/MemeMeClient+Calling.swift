import Foundation

extension MemeMeClient {
  /// The maximum size of a JSON response. A page of 100 memes with all their captions is smaller.
  private static let largestJSONBytes = 64 << 20

  /// Makes a call and decodes the JSON response.
  func value<Value: Decodable & Sendable>(
    _ call: Call, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await answer(call).decoded()
  }

  /// Makes a call whose response has no body.
  ///
  /// - Parameter status: The expected status. Any other status is an error, even a success: intermediaries such as the
  ///   sign-in page of a network also respond with success.
  func perform(_ call: Call, expecting status: Int = 204) async throws {
    let answer = try await answer(call)
    guard answer.head.status == status else { throw answer.failure }
  }

  /// Makes a call and repeats it as the retry policy allows.
  ///
  /// - Parameter largest: The maximum size of the response in bytes.
  /// - Returns: A successful response.
  func answer(_ call: Call, atMost largest: Int = Self.largestJSONBytes) async throws -> Answer {
    try await limited(plus: call.patience) {
      try await repeating(call) {
        try await open(call).collect(atMost: largest)
      }
    }
  }

  /// Runs `body`, and throws ``MemeMeError/timeout`` if the deadline expires first.
  ///
  /// - Parameter patience: The time that the server was asked to wait, in addition to the deadline.
  func limited<Result: Sendable>(
    plus patience: Duration = .zero, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let deadline else { return try await body() }
    return try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: deadline + patience)
        throw MemeMeError.timeout
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw MemeMeError.timeout }
      return result
    }
  }

  /// Runs an attempt, and repeats it if the call and the retry policy allow it.
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
  /// - Returns: A successful response whose body is still being received.
  func open(_ call: Call) async throws -> IncomingAnswer {
    let answer = try await transport.open(try request(for: call), progress: call.progress)
    if answer.head.isSuccess { return answer }
    let failure = try await answer.collect(atMost: Self.largestJSONBytes)
    if let call = call.redirected(by: failure.head) { return try await open(call) }
    throw failure.failure
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
