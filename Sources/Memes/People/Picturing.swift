package import Bytes

/// Knows the pictures of people: those that they sent, and those that are drawn for the others.
package struct Picturing: Sendable {
  private let store: any AvatarStore
  private let artist: any AvatarArtist
  private let drawn = DrawnAvatars()
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk takes more pictures.
  package init(
    store: any AvatarStore, artist: any AvatarArtist, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.artist, self.hasRoom) = (store, artist, hasRoom)
  }

  /// Makes the middle of a picture the person's. When this returns, that is durable.
  ///
  /// - Returns: the person as they are now.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/unauthorized`` where the person left meanwhile; and what the artist and
  ///   the store throw.
  package func set(_ picture: Bytes, of person: UserID) async throws(MemeError) -> User {
    guard hasRoom() else { throw .storageFull }
    let avatar = try await artist.avatar(of: picture)
    guard let user = try await store.keep(avatar, of: person) else { throw .unauthorized }
    return user
  }

  /// Takes the person's picture away. When this returns, that is durable.
  package func remove(of person: UserID) async throws(MemeError) {
    guard try await store.keep(nil, of: person) != nil else { throw .unauthorized }
  }

  /// The person's picture, or what stands for it.
  ///
  /// - Parameter version: the one that is meant; `nil`: whatever there is.
  /// - Throws: ``MemeError/notFound`` where nobody has the name, ``MemeError/gone`` where the picture is another one by
  ///   now; and what the artist throws.
  package func picture(
    of username: Username, _ size: AvatarSize, version: AvatarVersion?, for viewer: Viewer
  ) async throws(MemeError) -> ShownAvatar {
    guard let found = try store.avatar(of: username, size, for: viewer) else { throw .notFound }
    guard version == nil || version == found.user.avatar else { throw .gone }
    if let file = found.file { return ShownAvatar(file: file, isDrawn: false) }
    let look = DrawnAvatar(username: found.user.username, displayName: found.user.displayName)
    let file = try await drawn.file(look, size) { [artist] () async throws(MemeError) in
      try await artist.draw(look, size)
    }
    return ShownAvatar(file: file, isDrawn: true)
  }
}

/// A picture of a person as it is shown.
package struct ShownAvatar: Sendable {
  package let file: PictureFile
  /// Whether it was drawn from the name.
  package let isDrawn: Bool
}

/// What ``Picturing`` needs of something that draws.
package protocol AvatarArtist: Sendable {
  /// The middle square of a picture, upright, in sRGB, without anything that its file says beside the pixels; never enlarged.
  ///
  /// - Throws: as ``MemeRenderer/render(_:)``.
  func avatar(of picture: Bytes) async throws(MemeError) -> Avatar

  /// Draws what stands for somebody without a picture.
  func draw(_ look: DrawnAvatar, _ size: AvatarSize) async throws(MemeError) -> PictureFile
}

/// What ``Picturing`` needs of a store. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol AvatarStore: Sendable {
  /// Keeps the pictures in the place of those that there are. When this returns it survives a crash of the machine.
  ///
  /// - Parameter avatar: `nil`: the person is to have none.
  /// - Returns: the person as they are now; `nil` where they left.
  func keep(_ avatar: Avatar?, of person: UserID) async throws(MemeError) -> User?

  /// The person of this name, and their picture where they have one, read on the calling thread; `nil` where the viewer sees
  /// no such person.
  func avatar(
    of username: Username, _ size: AvatarSize, for viewer: Viewer
  ) throws(MemeError) -> (user: User, file: PictureFile?)?
}
