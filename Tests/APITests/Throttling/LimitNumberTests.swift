import Foundation
import Memes
import Testing

struct LimitNumberTests {
  @Test(arguments: Limit.allCases)
  func `the limits in the operations manual match the code`(_ limit: Limit) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
    let row = "| `\(limit.rawValue)` \(limit.siteRate == nil ? "" : "* ")|"
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(row) })
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells[2] == "\(limit.rate.burst)")
    let seconds = limit.rate.interval / .seconds(1)
    #expect(cells[3] == (seconds < 1 ? "\(seconds) s" : "\(Int(seconds)) s"))
  }
}
