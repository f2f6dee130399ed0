import Foundation
package import mememe

/// A real OpenID Connect provider on a free port of the loopback interface. It runs as long as this object exists.
package final class OpenIDTestProvider: Sendable {
  package let issuer: String
  private let client: String
  private let secretFile: URL
  private let ending: ProcessEnd
  private let input = Pipe.alone()

  private struct Start: Decodable {
    let port: Int
    let client: String
    let secret: String
  }

  package init() throws {
    let (process, output) = (Process(), Pipe.alone())
    process.executableURL = URL(filePath: try Python.path())
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    process.arguments = [folder.appending(path: "Fixtures/oidc-provider.py").path]
    process.standardInput = input
    process.standardOutput = output
    ending = try process.startAlone()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      line += byte
    }
    let start = try JSONDecoder().decode(Start.self, from: line)
    (issuer, client) = ("http://127.0.0.1:\(start.port)", start.client)
    secretFile = FileManager.default.temporaryDirectory
      .appending(path: "mememe-oidc-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(
        atPath: secretFile.path, contents: Data("\(start.secret)\n".utf8),
        attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    ending.wait()
    try? FileManager.default.removeItem(at: secretFile)
  }

  /// The settings with which a server uses this provider.
  package func use(
    in settings: inout Settings, _ others: [String: String] = [:]
  ) throws {
    let known = [
      "MEMEME_OIDC_ISSUER": issuer, "MEMEME_OIDC_CLIENT_ID": client,
      "MEMEME_OIDC_CLIENT_SECRET_FILE": secretFile.path, "MEMEME_OIDC_NAME": "Example <ID>",
    ]
    let read = try Settings(environment: known.merging(others) { $1 }, flags: [])
    (settings.oidcIssuer, settings.oidcClientID) = (read.oidcIssuer, read.oidcClientID)
    (settings.oidcClientSecretFile, settings.oidcName) = (read.oidcClientSecretFile, read.oidcName)
    (settings.oidcScopes, settings.oidcAdminClaim) = (read.oidcScopes, read.oidcAdminClaim)
  }

  /// Chooses the user of the provider, and its faults: see Fixtures/oidc-provider.py.
  package func set(_ json: String) async throws {
    _ = try await request("POST", "\(issuer)/test/settings", body: Data(json.utf8))
  }

  /// How often a path was requested.
  package func count(_ path: String) async throws -> Int {
    let answer = try await request("GET", "\(issuer)/test/requests")
    return try JSON(parsing: Array(answer.body)).counts[path].int ?? 0
  }

  /// Opens the sign-in page as a browser.
  ///
  /// - Returns: the target at the server to which the provider sends the browser.
  package func signIn(at url: String) async throws -> String {
    let answer = try await request("GET", url)
    guard answer.status == 302, let location = answer.location,
      let parts = URLComponents(string: location)
    else { throw Python.Failure(message: "the provider answered \(answer.status)") }
    return parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
  }

  private struct ProviderAnswer {
    let status: Int
    let location: String?
    let body: Data
  }

  /// Requests of tests go through a program of their own, because URLSession would follow the redirect.
  private func request(
    _ method: String, _ url: String, body: Data? = nil
  ) async throws -> ProviderAnswer {
    try await blocking {
      let program = """
        import http.client, json, sys, urllib.parse
        method, url, body = sys.argv[1:]
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        connection.request(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, body.encode() or None)
        response = connection.getresponse()
        print(json.dumps([response.status, response.headers["Location"], response.read().decode()]))
        """
      let output = try Python.run(
        program, method, url, body.map { String(decoding: $0, as: UTF8.self) } ?? "")
      let answer = try JSON(parsing: Array(output)).elements
      guard answer.count == 3 else { throw Python.Failure(message: "no answer") }
      return ProviderAnswer(
        status: answer[0].int ?? 0, location: answer[1].text,
        body: Data((answer[2].text ?? "").utf8))
    }
  }
}
