/// The lock that a process holds while it migrates or repairs a database. A server that starts waits for it.
package struct MigrationLock {
  /// "MeMe" in ASCII.
  private static let key = 0x4D65_4D65

  package let address: ServerAddress
  /// Holds the lock, which ends with the connection. So a process that was killed does not keep it.
  let connection: Connection

  /// Waits for a minute if another process has the lock.
  package init(_ address: ServerAddress) throws(UnusableServer) {
    self.address = address
    connection = try reach { () throws(ServerFailure) in
      try address.connect(statementTimeout: .seconds(60))
    }
    let end = ContinuousClock.now + .seconds(60)
    while true {
      let isLocked = try reach { [connection] () throws(ServerFailure) in
        try connection.script("SELECT pg_try_advisory_lock(\(Self.key))")
      }
      if isLocked == "t" { return }
      guard .now < end else { throw .locked }
      pause(.milliseconds(100))
    }
  }

  package func end() throws(UnusableServer) {
    try reach { () throws(ServerFailure) in
      try connection.script("SELECT pg_advisory_unlock(\(Self.key))")
    }
  }
}
