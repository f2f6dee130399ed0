package import Bytes
package import Memes
package import Rendering
package import Storage

private struct DrawnKey: Hashable {
  let look: DrawnAvatar
  let size: AvatarSize
}

/// Makes and shows avatars. Users without an avatar get a drawn one.
package struct Avatars: Sendable {
  private let store: AvatarStore
  private let artist: PooledRenderer
  /// Pictures have some kilobytes.
  private let drawn = RecentPictures<DrawnKey>(capacityBytes: 4 << 20)
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk has room for more pictures.
  package init(
    store: AvatarStore, artist: PooledRenderer, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.artist, self.hasRoom) = (store, artist, hasRoom)
  }

  /// Makes the center of a picture the user's avatar. On return, it is durable.
  ///
  /// - Returns: the user with the new avatar.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/unauthorized`` if the account was deleted; the errors of
  ///   the artist and of the store.
  package func set(_ picture: Bytes, of person: UserID) async throws -> User {
    guard hasRoom() else { throw MemeError.storageFull }
    let avatar = try await artist.avatar(of: picture)
    return try await store.keep(avatar, of: person)
  }

  /// The user's avatar, or a drawn one if the user has none.
  ///
  /// - Parameter version: the required version; `nil` for the current one.
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the user; ``MemeError/gone`` if the avatar has another
  ///   version; the errors of the artist.
  package func picture(
    of username: Username, _ size: AvatarSize, version: AvatarVersion?, for viewer: Principal
  ) async throws -> ShownAvatar {
    guard let found = try await store.avatar(of: username, size, for: viewer) else {
      throw MemeError.notFound
    }
    guard version == nil || version == found.user.avatar else { throw MemeError.gone }
    if let file = found.file { return ShownAvatar(file: file, isDrawn: false) }
    let look = DrawnAvatar(username: found.user.username, displayName: found.user.displayName)
    let file = try await drawn.file(DrawnKey(look: look, size: size)) { [artist] in
      try await artist.draw(look, size)
    }
    return ShownAvatar(file: StoredPictureFile(file), isDrawn: true)
  }
}

/// An avatar for display.
package struct ShownAvatar: Sendable {
  package let file: StoredPictureFile
  /// Whether it was drawn from the user's name.
  package let isDrawn: Bool
}
