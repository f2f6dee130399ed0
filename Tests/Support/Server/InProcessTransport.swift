import Bytes
import Foundation
package import HTTP
import Wire

/// Calls the service of a server without a socket, like the daemon after it has framed the head of a request.
///
/// The daemon handles framing, deadlines, TLS, endless streams and the drain. Tests of these need a live server.
struct InProcessTransport: TestTransport {
  let service: any Service
  let proxies: TrustedProxies
  /// The port in the server's own URLs.
  let port: Int

  /// A body arrives in pieces of at most this size, as over a socket.
  private static let pieceBytes = 16 << 10

  func send(
    _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
  ) async throws -> WireResponse {
    // The cancellation of a test's task does not cancel the handler. Over a socket that stays open, it would not
    // either.
    try await Task { try await exchange(method, target, headers: headers, body: body) }.value
  }

  private func exchange(
    _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
  ) async throws -> WireResponse {
    let began = ContinuousClock.now
    let body = body.flatMap { $0.isEmpty ? nil : $0 }
    let fields = try self.fields(headers, body)
    let id =
      fields[.xRequestID].flatMap { RequestID($0.text) }
      ?? RequestID(random: .random(in: .min ... .max))
    let peer = proxies.client(behind: "127.0.0.1", fields)
    let response: Response
    var route: RouteID?
    do throws(Problem) {
      guard let method = Method(rawValue: method) else { throw Problem(.notImplemented) }
      let head = RequestHead(
        method: method, target: try RequestTarget(target, for: method), headers: fields, id: id,
        peer: peer)
      let admission = await service.admit(head).decided()
      route = admission.route
      response = try await answer(admission, head, body)
    } catch {
      response = service.response(to: error, id: id, origin: fields[.origin])
    }
    let hasBody = method != Method.head.rawValue && !response.status.isBodiless
    let content = hasBody ? try await self.content(of: response) : []
    service.completed(
      AccessRecord(
        id: id, peer: peer, method: method, target: target, route: route, status: response.status,
        bodyBytes: content.count, seconds: (ContinuousClock.now - began) / .seconds(1),
        outcome: .answered))
    return WireResponse(
      status: response.status.code,
      headers: self.headers(
        of: response, id, byteCount: hasBody ? content.count : response.byteCount), body: content)
  }

  private func answer(
    _ admission: Admission, _ head: RequestHead, _ body: [UInt8]?
  ) async throws(Problem) -> Response {
    switch admission.verdict {
    case .refuse(let response): return response
    case _ where (body?.count ?? 0) > admission.bodyLimit: throw Problem(.contentTooLarge)
    case .answer(let response): return response
    case .wait: throw Problem(.internalError)
    case .read(let reader, let answer):
      var rest = body?[...] ?? []
      while !rest.isEmpty {
        let piece = Bytes(Array(rest.prefix(Self.pieceBytes)))
        try piece.withUnsafeBytes { bytes throws(Problem) in try reader.receive(bytes) }
        rest = rest.dropFirst(piece.count)
      }
      return await answer(Request(head: head, body: try reader.finish()))
    }
  }

  /// Returns the whole body. Reads a stream until it ends.
  private func content(of response: Response) async throws -> [UInt8] {
    if let file = response.file { return try file.read() }
    var bytes = response.body.withUnsafeBytes { Array($0) }
    while let piece = await response.stream?.next() {
      piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private func fields(_ headers: [(String, String)], _ body: [UInt8]?) throws -> Headers {
    var fields = Headers()
    var all = [("Host", "127.0.0.1:\(port)")] + headers
    if let body { all.append(("Content-Length", "\(body.count)")) }
    for (name, value) in all {
      guard let name = HeaderName(name), let value = HeaderValue(value) else {
        throw TransportFailure(description: "\(name) is no header: this test needs withLiveServer")
      }
      fields.append(name, value)
    }
    return fields
  }

  private func headers(
    of response: Response, _ id: RequestID, byteCount: Int
  ) -> [(name: String, value: String)] {
    var headers = response.headers.fields.map { (name: $0.name.text, value: $0.value.text) }
    headers.append((HeaderName.xRequestID.text, id.text))
    if response.stream == nil, response.status != .noContent {
      headers.append((HeaderName.contentLength.text, "\(byteCount)"))
    }
    return headers
  }
}

extension Admission {
  /// The decision, after the wait for it.
  package func decided() async -> Admission {
    if case .wait(let decide) = verdict { await decide() } else { self }
  }
}

extension FilePart {
  fileprivate func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = pread(file.descriptor, &bytes, range.count, off_t(range.lowerBound))
    guard count == range.count else {
      throw TransportFailure(description: "a file has \(count) of \(range.count) bytes")
    }
    return bytes
  }
}
