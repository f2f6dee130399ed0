public import Foundation

/// That a report is there.
public struct FiledReport: Sendable, Hashable, Codable, Identifiable {
  public var id: Report.ID
  public var createdAt: Date
}
