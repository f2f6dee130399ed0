package import Memes
package import SQL

/// Second factors, in the tables `second_factors` and `recovery_codes`. Each call is one transaction. Secrets are
/// stored encrypted, and recovery codes as their digests.
///
/// Changes need the session of the request, which must still exist, and the hash against which the password was
/// verified; `nil` if none was necessary. They return `false`, and write nothing, if the session has ended or the hash
/// changed. Every method may throw ``MemeError/suspended``, ``MemeError/storageFull``, ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct SecondFactorStore: Sendable {
  private let writer: any Writer
  private let readers: any Readers

  package init(_ database: any Database) {
    (writer, readers) = (database.writer, database.readers)
  }

  /// The stored second factor, also one that is not on yet.
  package func stored(of person: UserID) async throws -> StoredSecondFactor? {
    try await readers.read { db in
      try db.first(
        "SELECT secret, enabled_at IS NOT NULL FROM second_factors WHERE user = \(userOfID)",
        person.bytes
      ) { row in StoredSecondFactor(sealed: try row.next(), isOn: try row.next()) }
    }
  }

  /// The second factor if it is on.
  package func factor(of person: UserID) async throws -> SecondFactor? {
    try await readers.read { db in
      try db.first(
        "SELECT \(SecondFactor.columns) FROM users WHERE users.id = ?", person.bytes
      ) { row in try SecondFactor.decode(&row) } ?? nil
    }
  }

  /// Stores the secret of a second factor that is not on yet. Replaces an earlier one that is not on.
  ///
  /// - Throws: ``MemeError/secondFactorOn``.
  package func begin(
    sealed: [UInt8], of person: UserID, if password: HashedPassword?, in session: SessionID
  ) async throws -> Bool {
    try await change(of: person, if: password, in: session) { number, db in
      let written = try db.run(
        """
        INSERT INTO second_factors (user, secret) VALUES (?, ?)
        ON CONFLICT (user) DO UPDATE SET secret = excluded.secret, last_step = NULL
        WHERE second_factors.enabled_at IS NULL
        """, number, sealed)
      guard written > 0 else { throw MemeError.secondFactorOn }
    }
  }

  /// Turns on the second factor with this secret, and stores its recovery codes.
  ///
  /// - Parameter step: the step of the code that the user entered.
  /// - Throws: ``MemeError/secondFactorOn``; ``MemeError/invalidCode`` if another secret was stored in the meantime.
  package func turnOn(
    sealed: [UInt8], step: Int64, codes: [Digest], at time: Timestamp, _ proof: SecondFactorProof
  ) async throws -> Bool {
    try await change(of: proof.person, if: proof.password, in: proof.session) { number, db in
      let changed = try db.run(
        """
        UPDATE second_factors SET enabled_at = ?, last_step = ?
        WHERE user = ? AND secret = ? AND enabled_at IS NULL
        """, time.millisecondsSince1970, step, number, sealed)
      guard changed > 0 else {
        throw try isSecondFactorOn(of: number, in: db)
          ? MemeError.secondFactorOn : MemeError.invalidCode
      }
      try Self.replaceCodes(of: number, by: codes, in: db)
    }
  }

  /// Turns off the second factor.
  ///
  /// - Throws: ``MemeError/notFound`` if there is none; the errors of ``useSecondFactor(_:of:in:)``.
  package func turnOff(using use: SecondFactorUse, _ proof: SecondFactorProof) async throws -> Bool
  {
    try await change(of: proof.person, if: proof.password, in: proof.session) { number, db in
      try useSecondFactor(use, of: number, in: db)
      guard try removeSecondFactor(of: number, in: db) else { throw MemeError.notFound }
    }
  }

  /// Replaces the recovery codes.
  ///
  /// - Throws: ``MemeError/notFound`` if the second factor is not on; the errors of ``useSecondFactor(_:of:in:)``.
  package func replaceCodes(
    by codes: [Digest], using use: SecondFactorUse, _ proof: SecondFactorProof
  ) async throws -> Bool {
    try await change(of: proof.person, if: proof.password, in: proof.session) { number, db in
      try useSecondFactor(use, of: number, in: db)
      guard use != .off else { throw MemeError.notFound }
      try Self.replaceCodes(of: number, by: codes, in: db)
    }
  }

  private func change(
    of person: UserID, if password: HashedPassword?, in session: SessionID,
    _ body: @escaping @Sendable (Int64, borrowing Transaction) throws -> Void
  ) async throws -> Bool {
    try await writer.transaction { db in
      guard let account = try provenAccount(of: person, if: password, in: session, db) else {
        return false
      }
      try body(account.number, db)
      return true
    }
  }

  private static func replaceCodes(
    of person: Int64, by codes: [Digest], in db: borrowing Transaction
  ) throws {
    try db.run("DELETE FROM recovery_codes WHERE user = ?", person)
    for code in codes {
      try db.run("INSERT INTO recovery_codes (code, user) VALUES (?, ?)", code.bytes, person)
    }
  }
}

/// What a change of a second factor needs.
package struct SecondFactorProof: Sendable {
  package let person: UserID
  /// The hash against which the password was verified.
  package let password: HashedPassword
  /// The session of the request.
  package let session: SessionID

  package init(person: UserID, password: HashedPassword, session: SessionID) {
    (self.person, self.password, self.session) = (person, password, session)
  }
}

/// Uses a code of the second factor of an account, which must be locked. The code is not good again.
///
/// - Throws: ``MemeError/codeRequired`` if the second factor is on and `use` has no code; ``MemeError/invalidCode`` if
///   the code was used before, or belongs to another second factor.
func useSecondFactor(
  _ use: SecondFactorUse, of person: Int64, in db: borrowing Transaction
) throws {
  let used: Int
  switch use {
  case .off:
    guard try !isSecondFactorOn(of: person, in: db) else { throw MemeError.codeRequired }
    return
  case .byProvider: return
  case .step(let step, let sealed):
    used = try db.run(
      """
      UPDATE second_factors SET last_step = ?1
      WHERE user = ?2 AND secret = ?3 AND enabled_at IS NOT NULL AND (last_step IS NULL OR last_step < ?1)
      """, step, person, sealed)
  case .recovery(let code):
    used = try db.run(
      "DELETE FROM recovery_codes WHERE code = ? AND user = ?", code.bytes, person)
  }
  guard used > 0 else { throw MemeError.invalidCode }
}

/// Deletes the second factor of an account, which must be locked.
///
/// - Returns: `false` if there is none.
func removeSecondFactor(of person: Int64, in db: borrowing Transaction) throws -> Bool {
  try db.run("DELETE FROM recovery_codes WHERE user = ?", person)
  return try db.run("DELETE FROM second_factors WHERE user = ?", person) > 0
}

private func isSecondFactorOn(of person: Int64, in db: borrowing Transaction) throws -> Bool {
  try db.exists("SELECT 1 FROM second_factors WHERE user = ? AND enabled_at IS NOT NULL", person)
}

extension SecondFactor {
  /// The columns that ``decode(_:)`` reads, of a row of `users`.
  static let columns = """
    (SELECT enabled_at FROM second_factors AS f WHERE f.user = users.seq),
    (SELECT count(*) FROM recovery_codes AS c WHERE c.user = users.seq)
    """

  /// Decodes ``columns``; `nil` if the second factor is not on.
  static func decode(_ row: inout Row) throws -> SecondFactor? {
    let (enabledAt, codes) = (try row.nextOptionalTimestamp(), try row.next() as Int)
    return enabledAt.map { SecondFactor(enabledAt: $0, recoveryCodes: codes) }
  }
}
