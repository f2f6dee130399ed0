/// A person with an account.
package struct User: Sendable, Equatable {
  package let id: UserID
  package let username: Username
  /// For the person alone.
  package let email: EmailAddress
  package let displayName: DisplayName?
  package let biography: Biography?
  package let createdAt: Timestamp
  package let passwordChangedAt: Timestamp
  /// `nil` where one is drawn from the name.
  package let avatar: AvatarVersion?
  /// For the person alone, to know what they may do; what they may is told by the ``Standing`` of their session.
  package let role: Role

  package init(
    id: UserID, username: Username, email: EmailAddress, displayName: DisplayName?,
    biography: Biography?, createdAt: Timestamp, passwordChangedAt: Timestamp,
    avatar: AvatarVersion? = nil, role: Role = .member
  ) {
    (self.id, self.username, self.email) = (id, username, email)
    (self.displayName, self.biography) = (displayName, biography)
    (self.createdAt, self.passwordChangedAt) = (createdAt, passwordChangedAt)
    (self.avatar, self.role) = (avatar, role)
  }
}

/// A person, and what they prove to be themselves by.
package struct Account: Sendable, Equatable {
  package let user: User
  package let password: HashedPassword
  package let standing: Standing

  package init(user: User, password: HashedPassword, standing: Standing = .member) {
    (self.user, self.password, self.standing) = (user, password, standing)
  }
}

/// What a person types to say who they are.
package enum Login: Sendable, Equatable {
  case username(Username)
  case email(EmailAddress)

  /// - Returns: `nil` where `text` can be nobody's.
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

/// What becomes of a person's profile; what is `nil` stays.
package struct ProfileChange: Sendable {
  package enum Choice<Value: Sendable>: Sendable {
    case clear
    case set(Value)

    /// `nil` where there is to be none.
    package var value: Value? { if case .set(let value) = self { value } else { nil } }
  }

  package let displayName: Choice<DisplayName>?
  package let biography: Choice<Biography>?
  package var email: EmailAddress?

  package init(
    displayName: Choice<DisplayName>?, biography: Choice<Biography>?, email: EmailAddress?
  ) {
    (self.displayName, self.biography, self.email) = (displayName, biography, email)
  }
}
