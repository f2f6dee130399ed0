public import Foundation

/// The accounts of all people. For admins.
extension MemeMeClient {
  /// Returns the accounts that match all conditions, newest first.
  ///
  /// - Parameter part: A part of the username or the email.
  public func accounts(
    matching part: String? = nil, isSuspended: Bool? = nil, role: String? = nil,
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<ListedAccount> {
    var call = Call(.listAccounts)
    call.query = [
      "q": part, "status": isSuspended.map { $0 ? "suspended" : "active" }, "role": role,
      "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  public func account(of username: String) async throws -> ListedAccount {
    try await value(Call(.getAccount, username))
  }

  /// Changes the role of a person: `member` or `admin`.
  ///
  /// - Throws: A problem with the code `forbidden` for the caller's own account.
  @discardableResult
  public func setRole(_ role: String, of username: String) async throws -> ListedAccount {
    try await value(Call(.changeAccount, username).with(json: ["role": role]))
  }

  /// Changes the storage quota of an account.
  ///
  /// - Parameter bytes: `nil` if the limit of all accounts applies.
  @discardableResult
  public func setQuota(_ bytes: Int?, of username: String) async throws -> ListedAccount {
    // A dictionary writes `nil` as `null`.
    try await value(Call(.changeAccount, username).with(json: ["quotaBytes": bytes]))
  }

  /// Permanently deletes the account of another person, with all of its content.
  public func deleteAccount(of username: String) async throws {
    try await perform(Call(.deleteAccountOf, username))
  }

  /// Creates a link with which the person can choose a new password, once and within 30 minutes.
  public func resetLink(for username: String) async throws -> ResetLink {
    try await value(Call(.createResetLink, username))
  }
}

/// An account, as admins see it.
public struct ListedAccount: Sendable, Hashable, Codable, Identifiable {
  public var id: UUID
  public var username: String
  public var displayName: String?
  public var bio: String?
  public var avatarUrl: String
  public var createdAt: Date
  public var email: String
  public var emailConfirmed: Bool?
  public var passwordChangedAt: Date
  /// `nil` if the username never changed.
  public var usernameChangedAt: Date?
  public var role: String
  /// `nil` if it is off.
  public var secondFactor: SecondFactor?
  /// `nil` if the account is not suspended.
  public var suspendedAt: Date?
  /// The bytes that count in the quota of the account.
  public var storedBytes: Int
  /// The quota of the account; `nil` if the limit of all accounts applies.
  public var quotaBytes: Int?
}

/// A link for a new password.
public struct ResetLink: Sendable, Hashable, Codable {
  public var url: String
  public var expiresAt: Date
}
