/// The pictures of a person, a square each.
package struct Avatar: Sendable {
  /// Every one of ``AvatarSize``.
  package let files: [AvatarSize: PictureFile]

  package init(files: [AvatarSize: PictureFile]) { self.files = files }

  /// Names these pictures and no others; `nil` where the largest is missing.
  package var version: AvatarVersion? {
    files[.large].map { AvatarVersion(stored: String($0.facts.digest.hexadecimal.prefix(16))) }
  }
}

/// How large a picture of a person is wanted. The raw value is its edge in pixels.
package enum AvatarSize: Int, CaseIterable, Sendable {
  /// Beside a name in a list.
  case small = 64
  /// On a card.
  case medium = 192
  /// On a page of its own.
  case large = 512
}

/// Names the pictures of a person in addresses: the beginning of a digest, so that no two sets of pictures have the same.
package struct AvatarVersion: Hashable, Sendable {
  package let text: String

  /// - Parameter text: as it was stored, or as somebody sent it.
  package init(stored text: String) { self.text = text }
}
