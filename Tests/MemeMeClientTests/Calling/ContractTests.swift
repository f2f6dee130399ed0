import Foundation
import Support
import Testing
import YAML

@testable import MemeMeClient

struct ContractTests {
  /// Operations for browsers, for feed readers, for programs that read the contract, and for operators.
  private static let notForApps: Set<String> = [
    "GET /m/{id}", "GET /oembed", "GET /memes.atom", "GET /reset-password", "GET /openapi.yaml",
    "GET /openapi-3.0.yaml", "GET /openapi.json", "GET /docs", "GET /problems/{code}",
    "GET /metrics", "GET /", "GET /app/{page}", "GET /app/{page}/{name}",
    "GET /app/{page}/{name}/{part}", "GET /manifest.webmanifest", "GET /service-worker.js",
    "GET /web/{version}/{folder}/{file}", "GET /favicon.ico", "GET /robots.txt",
    "GET /.well-known/change-password", "GET /oidc/start", "GET /oidc/callback",
    // Addresses for chats and Markdown, which the client makes.
    "GET /images/{template}", "GET /images/{template}/{lines}",
    // For clients of memegen.
    "GET /memegen/templates", "GET /memegen/templates/{template}",
    "POST /memegen/templates/{template}", "POST /memegen/images", "GET /memegen/fonts",
    // Only the browser of the session can use the response.
    "POST /users/me/identities",
  ]

  @Test func `operations of the contract and of the client match`() throws {
    let contract = Set(
      try ContractCheck.shared.get().contract.operations.map { "\($0.method) \($0.pathTemplate)" })
    let calls = Set(Operation.allCases.map(\.rawValue))
    #expect(contract.subtracting(calls) == Self.notForApps)
    #expect(calls.subtracting(contract).isEmpty)
  }

  @Test func `every operation is called by a function`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/MemeMeClient")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let text = try (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "Operation.swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for operation in Operation.allCases {
      #expect(text.contains("Call(.\(operation))") || text.contains("Call(.\(operation), "))
    }
  }

  @Test func `every problem code has a name`() throws {
    let codes =
      try ContractCheck.shared.get().contract
      .document["components"]?["schemas"]?["ProblemCode"]?["enum"]?.sequence?.compactMap(\.string)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/MemeMeClient/Problems/Problem.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    for code in try #require(codes) { #expect(text.contains("\"\(code)\""), "\(code)") }
  }
}
