package import Bytes
package import Memes

extension PooledRenderer: AvatarArtist {
  package func avatar(of picture: Bytes) async throws(MemeError) -> Avatar {
    try await pool.run { [limits, digest] worker, ticket throws(MemeError) in
      try AvatarPipeline(limits: limits, digest: digest, worker: worker, ticket: ticket)
        .avatar(of: picture)
    }
  }

  package func draw(
    _ look: DrawnAvatar, _ size: AvatarSize
  ) async throws(MemeError) -> PictureFile {
    try await pool.run { [limits, digest] worker, ticket throws(MemeError) in
      try AvatarPipeline(limits: limits, digest: digest, worker: worker, ticket: ticket)
        .draw(look, size)
    }
  }
}
