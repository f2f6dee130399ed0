import CPQ
import Foundation

/// Where a database is: a connection URI of libpq
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
package struct ServerAddress: Sendable {
  /// Why a text is no usable address.
  package struct Invalid: Error, Equatable {
    package let problem: String
  }

  /// May contain a password.
  package let uri: String
  /// The hosts and the database, without the user and the password, for the log.
  package let description: String
  /// What an admin should know about the encryption; `nil` if it is safe.
  package let warning: String?
  private let sslMode: String?

  /// - Parameters:
  ///   - uri: `postgres://…`. It may name several hosts, of which one is the primary.
  ///   - environment: libpq reads `PGSSLMODE` and others from it.
  package init(
    _ uri: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Invalid) {
    guard uri.hasPrefix("postgres://") || uri.hasPrefix("postgresql://") else {
      throw Invalid(problem: "it must begin with postgres://")
    }
    let options = try Self.options(uri)
    let hosts = (options["host"] ?? options["hostaddr"] ?? environment["PGHOST"] ?? "")
      .split(separator: ",").map(String.init)
    let chosen = options["sslmode"] ?? environment["PGSSLMODE"]
    let isNear = hosts.allSatisfy(Self.isNear)
    self.uri = uri
    // libpq's own default also accepts a connection without encryption.
    sslMode = isNear ? nil : chosen ?? "verify-full"
    let name = options["dbname"] ?? environment["PGDATABASE"] ?? options["user"] ?? ""
    description = "\(hosts.isEmpty ? "the local socket" : hosts.joined(separator: ", "))/\(name)"
    warning =
      if !isNear, let chosen, chosen != "verify-full" {
        "sslmode=\(chosen) does not prove that the database server is the right one. Use sslmode=verify-full."
      } else { nil }
  }

  /// The options in a URI. libpq decodes them.
  private static func options(_ uri: String) throws(Invalid) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let parsed = PQconninfoParse(uri, &message) else {
      defer { PQfreemem(message) }
      // The message may quote the password.
      throw Invalid(problem: "libpq cannot read it")
    }
    defer { PQconninfoFree(parsed) }
    var options: [String: String] = [:]
    var option = parsed
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return options
  }

  /// Whether the host is a socket's folder or this machine.
  private static func isNear(_ host: String) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.")
  }

  /// Opens a connection to the primary, with the limits of this program.
  ///
  /// - Parameter statementTimeout: ends a statement that takes longer than any should.
  func connect(
    statementTimeout: Duration = PostgreSQLDatabase.usualTimeout
  ) throws(ServerFailure) -> Connection {
    // The URI comes after what an admin may change, and before what the program depends on.
    var options = [
      ("connect_timeout", "3"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
      ("keepalives_interval", "3"), ("keepalives_count", "3"), ("application_name", "mememe"),
      ("target_session_attrs", "read-write"), ("dbname", uri), ("client_encoding", "UTF8"),
    ]
    if let sslMode { options.append(("sslmode", sslMode)) }
    let connection = try Connection(options.map { (keyword: $0.0, value: $0.1) })
    guard connection.serverVersion >= 150_000 else {
      throw ServerFailure(
        state: "0A000",
        message: "PostgreSQL 15 or later is required; the server has \(connection.serverVersion)")
    }
    connection.statementTimeout = statementTimeout
    try connection.script(
      """
      SET statement_timeout = \(statementTimeout.milliseconds); SET lock_timeout = '2s';
      SET idle_in_transaction_session_timeout = '10s'; SET idle_session_timeout = 0;
      SET client_min_messages = warning;
      \(Self.liveness);
      \(Self.planning); \(Self.durability)
      """)
    return connection
  }

  /// PostgreSQL notices within 20 seconds that the machine of this process has gone, and ends its transactions. A read
  /// has no other limit.
  private static let liveness = """
    SET tcp_user_timeout = 10000; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3;
    SET tcp_keepalives_count = 3
    """

  /// What was acknowledged must be durable, whatever the database or the role has as a default.
  private static let durability = """
    SELECT set_config('synchronous_commit', 'on', FALSE) WHERE current_setting('synchronous_commit') = 'off'
    """

  /// Statements are written for their plan: they find a page by an index, and other rows by their keys. PostgreSQL
  /// would judge by the number of rows, which it does not know: it takes `LIMIT ?` for a tenth of all rows, and an
  /// average person for everyone. A statement is planned once for each connection, not for each of its values.
  private static let planning = """
    SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET random_page_cost = 1.1;
    SET jit = off; SET max_parallel_workers_per_gather = 0
    """
}

extension Duration {
  var milliseconds: Int { Int(self / .milliseconds(1)) }
}
