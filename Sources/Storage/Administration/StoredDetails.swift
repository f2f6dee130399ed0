import Foundation
import Memes
import SQL

/// The details of an entry in the audit log, as JSON in the column `details`. The names of the properties are part of
/// the stored data. Properties without a value are absent.
struct StoredDetails: Codable {
  private let reason: String?
  private let role: String?
  private let quotaBytes: Int?
  private let author: String?
  private let anonymous: Bool?
  private let after: String?
  private let before: String?
  var count: Int?
  private let note: String?

  init(_ details: AuditDetails) {
    (reason, role) = (details.reason?.text, details.role?.rawValue)
    quotaBytes = details.quotaBytes
    author = details.filter?.username
    anonymous = details.filter?.author == .anonymous ? true : nil
    (after, before) = (details.filter?.after?.description, details.filter?.before?.description)
    (count, note) = (details.count, details.note?.text)
  }

  /// - Throws: `.mismatch` if the text is not the output of ``json()``.
  init(json: String) throws {
    do { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) } catch {
      throw DatabaseError(.mismatch, "Invalid details in the audit log.")
    }
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
