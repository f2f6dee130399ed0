import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
        try await open(call, mostUnreadBytes: largest).collect(atMost: largest)
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
  /// - Parameter mostUnreadBytes: how far the answer's body may be ahead of who reads it.
  /// - Returns: an answer that tells of success, whose body still comes.
  func open(_ call: Call, mostUnreadBytes: Int) async throws -> IncomingAnswer {
    var file: SpooledFile?
    if case .file(let spooled, _) = call.body { file = spooled }
    let answer = try await transport.open(
      try request(for: call), file: file, mostUnreadBytes: mostUnreadBytes,
      progress: call.progress)
    guard answer.head.isSuccess else {
      throw try await answer.collect(atMost: Self.largestJSONBytes).failure
    }
    return answer
  }

  private func request(for call: Call) throws -> URLRequest {
    var base = url.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let address = URL(string: base + call.target) else {
      throw MemeMeError.connection(.badURL)
    }
    var request = URLRequest(url: address)
    request.httpMethod = call.operation.method
    request.timeoutInterval = max(1, Double((silence + call.patience).components.seconds))
    request.setValue(call.accept, forHTTPHeaderField: "Accept")
    for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
    if let token { request.setValue("Bearer \(token.secret)", forHTTPHeaderField: "Authorization") }
    if let version = call.version {
      request.setValue("\"\(version)\"", forHTTPHeaderField: "If-Match")
    }
    if let key = call.key { request.setValue(key.text, forHTTPHeaderField: "Idempotency-Key") }
    switch call.body {
    case .none: break
    case .json(let json):
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = json
    case .file(_, let contentType):
      request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    }
    return request
  }
}
