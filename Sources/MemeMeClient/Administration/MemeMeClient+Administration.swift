extension MemeMeClient {
  /// Deletes all memes that match the filter. For admins.
  ///
  /// - Parameter isTrial: Whether to only count the memes, without deleting them.
  /// - Returns: The number of matching memes.
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

  /// Permanently deletes all templates that were made without an account. For admins.
  ///
  /// - Parameter isTrial: Whether to only count the templates, without deleting them.
  /// - Returns: The number of matching templates.
  public func deleteAnonymousTemplates(isTrial: Bool = false) async throws -> Int {
    var call = Call(.deleteTemplates)
    call.query = ["anonymous": "true", "dryRun": isTrial ? "true" : nil]
    let deletion: Deletion = try await value(call)
    return deletion.count
  }

  private struct Deletion: Decodable { let count: Int }

  /// Returns the storage used by all accounts. For admins.
  public func storage() async throws -> StorageUsage { try await value(Call(.getUsage)) }

  /// Suspends an account: its sessions end, and the person cannot sign in. For admins.
  ///
  /// - Parameter reason: A note for admins.
  public func suspend(_ username: String, reason: String? = nil) async throws {
    try await perform(Call(.suspend, username).with(json: ["reason": reason]))
  }

  public func unsuspend(_ username: String) async throws {
    try await perform(Call(.unsuspend, username))
  }

  /// Returns the actions of admins, newest first.
  public func adminActs(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<AdminAct> {
    try await list(Call(.listAdminActs), limit, cursor)
  }

  /// Returns the reports with a status, newest first.
  public func reports(
    _ status: Report.Status = .open, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Report> {
    var call = Call(.listReports)
    call.query = [
      "status": status.rawValue, "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// Closes a report, or reopens it.
  public func decide(_ id: Report.ID, _ decision: ReportDecision) async throws -> Report {
    try await value(Call(.decideReport, "\(id)").with(json: decision))
  }

  /// Returns figures about the server's content and load.
  public func statistics() async throws -> Statistics { try await value(Call(.getStatistics)) }
}
