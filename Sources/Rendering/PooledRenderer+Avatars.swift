package import Bytes
package import Memes

extension PooledRenderer {
  /// The center square of a picture: upright, in sRGB, without metadata, never enlarged.
  ///
  /// - Throws: the errors of ``MemeRenderer/render(_:)``.
  package func avatar(of picture: Bytes) async throws -> Avatar {
    try await run(RenderJob(.avatar, .sent(picture), limits: limits)) {
      [digest] done in
      guard case .avatar(let files) = done.result, files.count == AvatarSize.allCases.count else {
        throw MemeError.unexpected(done)
      }
      let pairs = zip(AvatarSize.allCases, files).map { ($0, PictureFile($1, digest)) }
      return Avatar(files: Dictionary(uniqueKeysWithValues: pairs))
    }
  }

  /// Draws an avatar for a user who has none.
  package func draw(
    _ look: DrawnAvatar, _ size: AvatarSize
  ) async throws -> PictureFile {
    try await run(RenderJob(.initials(look.initials, look.background, size))) {
      [digest] done in
      guard case .initials(let file) = done.result else { throw MemeError.unexpected(done) }
      return PictureFile(file, digest)
    }
  }
}
