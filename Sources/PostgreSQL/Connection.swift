import CPQ
import Foundation
import SQL

/// One connection to a PostgreSQL server, with its prepared statements. One thread at a time uses it.
///
/// After ``beginPipeline()``, a statement whose result nobody waits for travels with the next one that is waited for
/// (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html).
final class Connection {
  /// A result that the server will send.
  fileprivate enum Expected {
    case statement
    /// The statement is prepared if the result is no error.
    case preparation(of: String)
    case synchronization
  }

  /// How a statement was prepared.
  private struct Prepared {
    let name: String
    let types: [UInt32]
  }

  private let handle: OpaquePointer
  private var expected: [Expected] = []
  private var prepared: [String: Prepared] = [:]
  /// The statements that are being prepared.
  private var preparing: [String: Prepared] = [:]
  private var names = 0
  /// Whether the connection can no longer be used.
  private(set) var isBroken = false
  /// How long a statement may take before the server ends it.
  var statementTimeout = PostgreSQLDatabase.usualTimeout
  /// COMMIT has no such end: it waits for the disk, and for a standby.
  private static let commitPatience = Duration.seconds(15)
  private var isCommitting = false
  /// How long the server may take to answer one statement before the connection counts as broken.
  private var patience: Duration {
    isCommitting ? Self.commitPatience : statementTimeout + .seconds(1)
  }

  /// Connects. Blocks for a few seconds at most.
  ///
  /// - Parameter options: pairs of a libpq keyword and a value.
  init(_ options: [(keyword: String, value: String)]) throws(ServerFailure) {
    var keywords = options.map { strdup($0.keyword) }
    var values = options.map { strdup($0.value) }
    defer { (keywords + values).forEach { free($0) } }
    keywords.append(nil)
    values.append(nil)
    let opened = keywords.withUnsafeBufferPointer { keywords in
      values.withUnsafeBufferPointer { values in
        keywords.withMemoryRebound(to: UnsafePointer<CChar>?.self) { keywords in
          values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
            PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
          }
        }
      }
    }
    guard let handle = opened else { throw .connection("not enough memory") }
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw .connection(message)
    }
    self.handle = handle
    // Otherwise libpq prints notices on standard error.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// The server's version, such as 150018.
  var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Runs a script of any number of statements without parameters, before ``beginPipeline()``.
  ///
  /// - Parameter limit: how long the server may take; `nil` for the usual time of one statement.
  /// - Returns: the text of the first column of the last statement's only row, if it has one.
  @discardableResult
  func script(_ text: String, within limit: Duration? = nil) throws(ServerFailure) -> String? {
    guard PQsendQuery(handle, text) == 1 else { throw broken() }
    var (value, failed): (String?, ServerFailure?)
    while true {
      try wait(limit)
      guard let result = PQgetResult(handle) else { break }
      defer { PQclear(result) }
      value = nil
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK: break
      case PGRES_TUPLES_OK:
        guard PQntuples(result) == 1, PQgetisnull(result, 0, 0) == 0 else { continue }
        value = String(cString: PQgetvalue(result, 0, 0))
      // The server leaves out the statements after it.
      default: failed = failure(of: result)
      }
    }
    if let failed { throw failed }
    return value
  }

  func beginPipeline() throws(ServerFailure) {
    guard PQenterPipelineMode(handle) == 1 else { throw broken() }
  }

  /// Sends a statement with the next one that is waited for. An error of this one is then thrown instead.
  func post(_ text: String) throws(ServerFailure) {
    guard PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1 else { throw broken() }
    expected.append(.statement)
  }

  /// Runs a statement, after the posted ones.
  ///
  /// - Parameter staying: whether an implicit transaction goes on after the statement.
  /// - Returns: its result, which the caller must clear.
  func run(
    _ sql: String, _ values: [any Bindable], staying: Bool = false
  ) throws -> OpaquePointer {
    try send(sql, values)
    return try answer(staying: staying)
  }

  /// Sends a statement with parameters. It is prepared on its first use.
  func send(_ sql: String, _ values: [any Bindable]) throws {
    let parameters = try Parameters(values)
    let types = values.map { type(of: $0).sqlType.type }
    let statement = try preparedStatement(sql, types)
    let formats = [Int32](repeating: 1, count: values.count)
    let isSent = parameters.withPointers { addresses, counts in
      PQsendQueryPrepared(
        handle, statement.name, Int32(values.count), addresses, counts, formats, 1)
    }
    guard isSent == 1 else { throw broken() }
    expected.append(.statement)
  }

  private func preparedStatement(_ sql: String, _ types: [UInt32]) throws -> Prepared {
    if let known = prepared[sql] ?? preparing[sql] {
      guard known.types == types else {
        throw DatabaseError(.misuse, "The parameters have other types than before: \(sql)")
      }
      return known
    }
    let text = StatementText(sql)
    guard text.parameters == types.count else {
      throw DatabaseError(.range, "\(types.count) values do not match the parameters of: \(sql)")
    }
    names += 1
    let new = Prepared(name: "s\(names)", types: types)
    guard PQsendPrepare(handle, new.name, text.text, Int32(types.count), types) == 1 else {
      throw broken()
    }
    expected.append(.preparation(of: sql))
    preparing[sql] = new
    return new
  }

  /// Sends everything, and reads the results until the last one.
  ///
  /// - Returns: the result of the last statement, which the caller must clear.
  /// - Throws: the first failure.
  private func answer(staying: Bool) throws(ServerFailure) -> OpaquePointer {
    if staying { try flush() } else { try synchronize() }
    guard let last = try drain() else { throw .connection("the server sent no result") }
    return last
  }

  /// Reads the results up to that of COMMIT, the last statement that was sent.
  func endOfTransaction() -> Session.End {
    isCommitting = true
    defer { isCommitting = false }
    let (result, failure) = results()
    guard let failure else {
      guard let result else { return .committed }
      defer { PQclear(result) }
      guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
        return .rolledBack(ServerFailure(state: "25P02", message: "the transaction had failed"))
      }
      return .committed
    }
    if let result { PQclear(result) }
    // The server does not run COMMIT after a statement that it has answered with a failure.
    let isKnown = failure.reason.isOfServer && (!failure.isOfLast || !isBroken)
    return isKnown ? .rolledBack(failure.reason) : .unknown(failure.reason)
  }

  /// Sends the statements, and asks for their results.
  private func flush() throws(ServerFailure) {
    guard PQsendFlushRequest(handle) == 1, PQflush(handle) == 0 else { throw broken() }
  }

  /// Marks the end of the statements that one failure ends, and sends them. An implicit transaction ends here too.
  func synchronize() throws(ServerFailure) {
    guard PQpipelineSync(handle) == 1 else { throw broken() }
    expected.append(.synchronization)
  }

  /// Reads all results that the server has yet to send.
  ///
  /// - Returns: the last statement's result, which the caller must clear; `nil` if there is none.
  /// - Throws: the first failure of a statement.
  func drain() throws(ServerFailure) -> OpaquePointer? {
    let (last, failure) = results()
    guard let failure else { return last }
    if let last { PQclear(last) }
    throw failure.reason
  }

  /// A failure, and whether the last statement has failed, and none before it.
  private typealias Failure = (reason: ServerFailure, isOfLast: Bool)

  private func results() -> (last: OpaquePointer?, failure: Failure?) {
    var last: OpaquePointer?
    var first: Failure?
    let waiting = expected
    expected = []
    let final = waiting.lastIndex { $0.isStatement }
    for (place, one) in waiting.enumerated() {
      let result: OpaquePointer
      do throws(ServerFailure) { result = try next(isSynchronization: one.isSynchronization) } catch
      {
        // A server that ends the connection after the last result has performed all statements.
        if first == nil, !one.isSynchronization { first = (error, place == final) }
        // The cause is often in an earlier message, such as 57P01 of a server that stops.
        return (last, first)
      }
      let status = PQresultStatus(result)
      switch (one, status) {
      case (.statement, PGRES_TUPLES_OK), (.statement, PGRES_COMMAND_OK):
        if let last { PQclear(last) }
        last = result
        continue
      case (.preparation(let sql), PGRES_COMMAND_OK):
        prepared[sql] = preparing.removeValue(forKey: sql)
      case (.synchronization, PGRES_PIPELINE_SYNC): break
      case (.synchronization, _): _ = failure(of: result)
      default:
        // What follows a failure is PGRES_PIPELINE_ABORTED.
        if first == nil { first = (failure(of: result), place == final) }
        if case .preparation(let sql) = one { preparing[sql] = nil }
      }
      PQclear(result)
    }
    return (last, first)
  }

  /// The next result. A statement's result is followed by a `nil`.
  private func next(isSynchronization: Bool) throws(ServerFailure) -> OpaquePointer {
    try wait()
    guard let result = PQgetResult(handle) else { throw broken() }
    if !isSynchronization {
      try wait()
      while let more = PQgetResult(handle) {
        PQclear(more)
        guard PQstatus(handle) == CONNECTION_OK else { break }
      }
    }
    return result
  }

  /// Blocks until a result is here, but not for ever: a server that does not answer must not keep a thread.
  private func wait(_ limit: Duration? = nil) throws(ServerFailure) {
    let limit = limit ?? patience
    let deadline = ContinuousClock.now + limit
    while PQisBusy(handle) == 1 {
      let left = deadline - .now
      guard left > .zero else {
        isBroken = true
        throw .connection("the server did not answer within \(limit)")
      }
      var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let milliseconds = left / .milliseconds(1)
      let ready = poll(&socket, 1, Int32(clamping: Int(milliseconds) + 1))
      guard ready > 0 else { continue }
      guard PQconsumeInput(handle) == 1 else { throw broken() }
    }
  }

  /// Notes the end of the connection if it is one. The server sends FATAL before it ends one.
  private func failure(of result: OpaquePointer) -> ServerFailure {
    let failure = ServerFailure(result)
    if failure.isFatal || PQstatus(handle) != CONNECTION_OK { isBroken = true }
    return failure
  }

  private func broken() -> ServerFailure {
    isBroken = true
    return .connection(String(cString: PQerrorMessage(handle)))
  }
}

extension Connection.Expected {
  fileprivate var isSynchronization: Bool {
    guard case .synchronization = self else { return false }
    return true
  }

  fileprivate var isStatement: Bool {
    guard case .statement = self else { return false }
    return true
  }
}
