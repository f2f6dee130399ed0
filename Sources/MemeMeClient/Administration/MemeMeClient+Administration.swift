extension MemeMeClient {
  /// Deletes all memes that the filter finds.
  ///
  /// - Parameter isTrial: whether they are counted only.
  /// - Returns: how many they are.
  public func deleteMemes(_ filter: DeletionFilter, isTrial: Bool = false) async throws -> Int {
    var call = Call(.deleteMemes)
    var author: String?
    if case .person(let username) = filter.owner { author = username }
    call.query = [
      "author": author, "anonymous": filter.owner == .nobody ? "true" : nil,
      "after": filter.after.map(WireTime.text), "before": filter.before.map(WireTime.text),
      "dryRun": isTrial ? "true" : nil,
    ]
    let deletion: Deletion = try await value(call)
    return deletion.count
  }

  /// Deletes the templates that were made without an account, for good.
  ///
  /// - Parameter isTrial: whether they are counted only.
  /// - Returns: how many they are.
  public func deleteAnonymousTemplates(isTrial: Bool = false) async throws -> Int {
    var call = Call(.deleteTemplates)
    call.query = ["anonymous": "true", "dryRun": isTrial ? "true" : nil]
    let deletion: Deletion = try await value(call)
    return deletion.count
  }

  private struct Deletion: Decodable { let count: Int }

  /// The storage of all accounts.
  public func storage() async throws -> StorageUsage { try await value(Call(.getUsage)) }

  /// Suspends somebody: their sessions end, and they cannot sign in.
  ///
  /// - Parameter reason: for the admins.
  public func suspend(_ username: String, reason: String? = nil) async throws {
    var call = Call(.suspend, username)
    try call.send(["reason": reason])
    try await perform(call)
  }

  public func unsuspend(_ username: String) async throws {
    try await perform(Call(.unsuspend, username))
  }

  /// What admins did, newest first.
  public func adminActs(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<AdminAct> {
    try await list(Call(.listAdminActs), limit, cursor)
  }

  /// What is reported, newest first.
  public func reports(
    _ status: Report.Status = .open, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Report> {
    var call = Call(.listReports)
    call.query = [
      "status": status.rawValue, "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// Closes a report, or opens it again.
  public func decide(_ id: Report.ID, _ decision: ReportDecision) async throws -> Report {
    var call = Call(.decideReport, "\(id)")
    try call.send(decision)
    return try await value(call)
  }

  /// How much there is.
  public func statistics() async throws -> Statistics { try await value(Call(.getStatistics)) }
}
