public import Foundation

/// Confirms that the server received a report.
public struct FiledReport: Sendable, Hashable, Codable, Identifiable {
  public var id: Report.ID
  public var createdAt: Date
}
