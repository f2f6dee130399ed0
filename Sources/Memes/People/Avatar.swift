/// The square pictures of a user.
package struct Avatar: Sendable {
  /// One file for each ``AvatarSize``.
  package let files: [AvatarSize: PictureFile]

  package init(files: [AvatarSize: PictureFile]) { self.files = files }

  /// The version of these pictures; `nil` if the largest is missing.
  package var version: AvatarVersion? {
    files[.large].map { AvatarVersion(stored: String($0.facts.digest.hexadecimal.prefix(16))) }
  }
}

/// The size of an avatar. The raw value is the edge in pixels.
package enum AvatarSize: Int, CaseIterable, Sendable {
  /// For a name in a list.
  case small = 64
  /// For a card.
  case medium = 192
  /// For a full page.
  case large = 512
}

/// The version of an avatar in URLs: the beginning of a digest, so that different pictures have different versions.
package struct AvatarVersion: Hashable, Sendable {
  package let text: String

  /// - Parameter text: a stored value, or one that a client sent.
  package init(stored text: String) { self.text = text }
}
