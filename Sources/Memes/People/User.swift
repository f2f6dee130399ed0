/// A user with an account.
package struct User: Sendable, Equatable {
  package let id: UserID
  package var username: Username
  /// Visible only to the user.
  package let email: EmailAddress
  package let displayName: DisplayName?
  package let biography: Biography?
  package let createdAt: Timestamp
  package let passwordChangedAt: Timestamp
  /// When the username last changed; `nil` if it never did. Visible only to the user.
  package let usernameChangedAt: Timestamp?
  /// When the user showed that the email is theirs; `nil` if not yet. Visible only to the user.
  package let emailConfirmedAt: Timestamp?
  /// `nil` if the avatar is generated from the name.
  package let avatar: AvatarVersion?
  /// Visible only to the user, to show their rights. Authorization uses the ``AccountStatus`` of the session instead.
  package var role: Role

  package init(
    id: UserID, username: Username, email: EmailAddress, displayName: DisplayName?,
    biography: Biography?, createdAt: Timestamp, passwordChangedAt: Timestamp,
    usernameChangedAt: Timestamp? = nil, emailConfirmedAt: Timestamp? = nil,
    avatar: AvatarVersion? = nil, role: Role = .member
  ) {
    (self.id, self.username, self.email) = (id, username, email)
    (self.displayName, self.biography) = (displayName, biography)
    (self.createdAt, self.passwordChangedAt) = (createdAt, passwordChangedAt)
    (self.usernameChangedAt, self.emailConfirmedAt) = (usernameChangedAt, emailConfirmedAt)
    (self.avatar, self.role) = (avatar, role)
  }
}

/// A user together with the credentials and the status of the account.
package struct Account: Sendable, Equatable {
  package let user: User
  package let password: HashedPassword
  package let accountStatus: AccountStatus

  package init(user: User, password: HashedPassword, accountStatus: AccountStatus = .member) {
    (self.user, self.password, self.accountStatus) = (user, password, accountStatus)
  }
}

/// The result of storing a new account.
package enum AccountInsertion: Sendable {
  case inserted(User)
  /// The stored response of an earlier request with the same key. Nothing was written.
  case repeated(IdempotencyRecord)
}

/// The name that a user enters to sign in.
package enum Login: Sendable, Equatable {
  case username(Username)
  case email(EmailAddress)

  /// - Returns: `nil` if `text` is neither a valid username nor a valid email.
  package init?(_ text: String) {
    if let username = try? Username(text) {
      self = .username(username)
    } else if let email = try? EmailAddress(text) {
      self = .email(email)
    } else {
      return nil
    }
  }
}

/// A change of a profile. `nil` keeps a field as it is.
package struct ProfileChange: Sendable {
  package enum Choice<Value: Sendable>: Sendable {
    case clear
    case set(Value)

    /// `nil` clears the field.
    package var value: Value? { if case .set(let value) = self { value } else { nil } }
  }

  package let displayName: Choice<DisplayName>?
  package let biography: Choice<Biography>?
  package var email: EmailAddress?
  package let username: Username?

  package init(
    displayName: Choice<DisplayName>?, biography: Choice<Biography>?, email: EmailAddress?,
    username: Username? = nil
  ) {
    (self.displayName, self.biography, self.email) = (displayName, biography, email)
    self.username = username
  }
}
