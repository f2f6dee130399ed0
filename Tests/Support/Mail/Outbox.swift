import Eventually
import Foundation
import Testing

extension TestServer {
  /// Returns the mails in the server's outbox as text, in the order of sending. They are ASCII here.
  ///
  /// - Parameter count: the expected number of mails, which are sent after the response.
  package func mails(_ count: Int) async throws -> [String] {
    try await eventually("\(count) mails are in the outbox") { try outbox.count >= count }
    return try outbox.map { name in
      try String(contentsOf: folder.appending(path: "outbox/\(name)"), encoding: .utf8)
        .replacing("\r\n", with: "\n")
    }
  }

  /// Requests a new password, and waits for the mail.
  ///
  /// - Parameter count: the number of mails including this one.
  /// - Returns: the token in the link of the mail.
  package func resetToken(for email: String, mails count: Int) async throws -> String {
    try await json("POST", "/password-resets", #"{"email":"\#(email)"}"#).expect(202)
    let mail = try await mails(count).last ?? ""
    return mail.firstMatch(of: /\/reset-password#([A-Za-z0-9_-]{43})\n/).map { String($0.1) } ?? ""
  }

  private var outbox: [String] {
    get throws {
      let path = folder.appending(path: "outbox").path
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(".eml") }.sorted()
    }
  }
}
