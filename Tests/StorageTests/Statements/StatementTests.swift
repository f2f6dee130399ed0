import Foundation
import SQL
import SQLite
import Testing

@testable import Storage

/// The texts and the plans of the statements of list pages.
///
/// The folder `SQL` contains the texts, for readers: most are assembled from parts, for each list, order and kind of
/// viewer. `anonymous` also stands for the holder of a `deleteToken`. `admin` stands for the admin token and for admins
/// with an account. `MEMEME_WRITE_STATEMENTS=1 script/test --filter StatementTests` writes the files.
struct StatementTests {
  private static let isWriting =
    ProcessInfo.processInfo.environment["MEMEME_WRITE_STATEMENTS"] == "1"

  private static let advice = """
    If the change is intended, run MEMEME_WRITE_STATEMENTS=1 script/test --filter StatementTests, and read its diff.
    """

  /// The files for the statements of this version.
  private static var files: [StatementFile] {
    Dictionary(grouping: ListStatement.all, by: \.file)
      .map { StatementFile($0.key, of: $0.value) }
      .sorted { $0.name < $1.name }
  }

  @Test func `the folder contains the statements of all lists, and no others`() throws {
    let files = Self.files
    if Self.isWriting {
      for file in files { try file.write() }
      for name in try StatementFile.names().subtracting(files.map(\.name)) {
        try FileManager.default.removeItem(
          at: StatementFile.folder.appending(path: "\(name).sql"))
      }
    }
    for file in files {
      guard let golden = try StatementFile(reading: file.name) else {
        Issue.record("\(file.url.path) is missing. \(Self.advice)")
        continue
      }
      for fault in Self.differences(of: file, from: golden) {
        Issue.record("\(file.name).sql, \(fault)\n\(Self.advice)")
      }
    }
    for name in try StatementFile.names().subtracting(files.map(\.name)).sorted() {
      Issue.record("No statement belongs to \(name).sql. \(Self.advice)")
    }
  }

  @Test func `each statement has a name of its own`() {
    let names = ListStatement.all.map(\.description)
    let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(repeated.isEmpty)
  }

  @Test func `all viewers of a kind have the same statements`() {
    let different = ListStatement.all.filter { !$0.isShared }.map(\.description)
    #expect(different.isEmpty)
  }

  @Test func `each statement uses its indexes, scans no table and sorts only pages`() async throws {
    try await withStore(on: [.sqlite]) { store in
      for statement in ListStatement.all {
        do {
          let lines = try await store.database.readers.read { db in try db.plan(of: statement) }
          let faults = QueryPlan(lines).faults(of: statement)
          if !faults.isEmpty {
            Issue.record("\(statement)\n\(faults.joined(separator: "\n"))")
          }
        } catch {
          Issue.record("\(statement): \(error)")
        }
      }
    }
  }

  private static func differences(
    of file: StatementFile, from golden: StatementFile
  ) -> [String] {
    var faults: [String] = []
    for statement in file.statements {
      guard let old = golden.statements.first(where: { $0.name == statement.name }) else {
        faults.append("\(statement.name): the statement is missing in the file.")
        continue
      }
      guard old.text != statement.text else { continue }
      faults.append("\(statement.name): \(firstDifference(old.text, statement.text))")
    }
    let names = Set(file.statements.map(\.name))
    for statement in golden.statements where !names.contains(statement.name) {
      faults.append("\(statement.name): the file contains a statement that does not exist.")
    }
    let order = file.statements.map(\.name)
    if faults.isEmpty, order != golden.statements.map(\.name) {
      faults.append("the statements have another order, or one is there twice.")
    }
    return faults
  }

  private static func firstDifference(_ old: String, _ new: String) -> String {
    let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
    let number = zip(old, new).prefix { $0 == $1 }.count
    func line(_ lines: [String]) -> String {
      number < lines.count ? lines[number] : "(the end)"
    }
    return """
      line \(number + 1) of the statement differs.
      file:  \(line(old))
      store: \(line(new))
      """
  }
}

extension Transaction {
  /// The plan for a statement. The values of its parameters do not matter.
  fileprivate func plan(of statement: ListStatement) throws -> [String] {
    let sql = statement.sql
    return switch statement.parameterCount {
    case 2: try plan(of: sql, 0, 0)
    case 3: try plan(of: sql, 0, 0, 0)
    case 4: try plan(of: sql, 0, 0, 0, 0)
    case 5: try plan(of: sql, 0, 0, 0, 0, 0)
    case 6: try plan(of: sql, 0, 0, 0, 0, 0, 0)
    default: throw UnexpectedCount()
    }
  }
}

private struct UnexpectedCount: Error {}
