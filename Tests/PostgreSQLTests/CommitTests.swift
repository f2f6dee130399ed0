import SQL
import Testing

@testable import PostgreSQL

/// What a transaction does when the server ends its connection at COMMIT: decision 0083.
struct CommitTests {
  private static let insert = "INSERT INTO t DEFAULT VALUES"

  /// Runs a transaction of one statement.
  ///
  /// - Parameter waits: whether the body waits for the statement's result; otherwise COMMIT travels with it.
  /// - Returns: what the server performed, how often the body ran, and the error.
  private func run(
    _ end: ScriptedPostgreSQL.End, waits: Bool = false
  ) throws -> (performed: [String], runs: Int, error: DatabaseError?) {
    let server = try ScriptedPostgreSQL(end)
    defer { server.stop() }
    let connections = Connections(
      try ServerAddress(server.address), limits: Turns.Limits(connections: 1),
      statementTimeout: .seconds(5))
    var (runs, failure) = (0, nil as DatabaseError?)
    do {
      try connections.transaction(.write) { db in
        runs += 1
        if waits { try db.run(Self.insert) } else { try db.post(Self.insert) }
      }
    } catch let error as DatabaseError { failure = error }
    connections.closeIdle()
    return (server.performed, runs, failure)
  }

  private let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
  private var whole: [String] { [begin, Self.insert, "COMMIT"] }

  @Test func `a transaction whose COMMIT was answered has succeeded, and never runs again`() throws
  {
    let (performed, runs, error) = try run(.fatalAfter("COMMIT"))
    #expect(error == nil && runs == 1 && performed == whole)
  }

  @Test func `a transaction that ends before COMMIT runs again`() throws {
    let (performed, runs, error) = try run(.fatal(insteadOf: Self.insert))
    #expect(error == nil && runs == 2 && performed == [begin] + whole)
  }

  @Test func `a connection that the server ends before COMMIT is sent is replaced`() throws {
    let (performed, runs, error) = try run(.fatalAfter(Self.insert), waits: true)
    #expect(error == nil && runs == 2 && performed == [begin, Self.insert] + whole)
  }

  @Test(arguments: [
    ScriptedPostgreSQL.End.fatal(insteadOf: "COMMIT"), .silence(insteadOf: "COMMIT"),
    .silence(insteadOf: insert),
  ])
  func `a transaction whose COMMIT was not answered is an error`(
    end: ScriptedPostgreSQL.End
  ) throws {
    let (_, runs, error) = try run(end)
    #expect(error?.code == .inputOutput && runs == 1)
  }

  @Test func `a COMMIT that fails runs again if the reason permits it`() throws {
    let (performed, runs, error) = try run(.failure(of: "COMMIT", state: "40001"))
    #expect(error == nil && runs == 2 && performed == [begin, Self.insert] + whole)
    let (_, once, refusal) = try run(.failure(of: "COMMIT", state: "23514"))
    #expect(refusal?.code == .constraint && once == 1)
  }
}
