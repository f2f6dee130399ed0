import Bytes
import Memes
import Rendering
import Storage

extension Repairs {
  func repairFacts(of number: PictureNumber, of meme: Int64) async throws -> String {
    guard let name = MemePicture(number: number.rawValue),
      let picture = try archive.picture(name, of: meme)
    else { throw MemeError.notFound }
    let bytes = try verified(picture)
    let facts =
      switch name {
      case .role(.original), .boxed: try await renderers.originals.facts(of: bytes)
      case .role, .derived: try await renderers.renders.facts(of: bytes)
      }
    try await store.setFacts(facts, of: number, of: meme)
    return "updated the row from the picture"
  }

  /// Redraws pictures of a meme from its original if that is intact, and otherwise from its image.
  func repair(_ roles: Set<PictureRole>, of meme: Int64) async throws -> String {
    let stored = try await store.drawing(of: meme)
    var files: [PictureRole: PictureFile] = [:]
    if let original = try? whole(.role(.original), of: meme),
      let boxed = try? stored.recipe.pictures.indices.map({ try whole(.boxed($0), of: meme) })
    {
      var order = order(original, stored.recipe, as: stored.pictures[.image]?.format)
      order.boxed = boxed.map { file in BoxSource { file } }
      let drawn = try await renderers.originals.render(order)
      // An intact image is kept even if drawing it now gives a different result. The thumbnails must then match
      // the kept image.
      if roles.contains(.image) || drawn.image.facts.digest == stored.pictures[.image]?.digest {
        files = drawn.files
      }
    }
    if files.isEmpty {
      guard !roles.contains(.image) else { throw Self.sourceIsDamaged }
      let image = try whole(.role(.image), of: meme)
      files = try await renderers.renders.render(
        order(image, Recipe(), as: stored.pictures[.image]?.format)
      ).files
    }
    // If the image changed, its thumbnails change as well.
    let isAnother = files[.image]?.facts.digest != stored.pictures[.image]?.digest
    if !roles.contains(.image) || !isAnother { files = files.filter { roles.contains($0.key) } }
    let version = try await store.replace(files, of: meme)
    let names = files.keys.sorted { $0.rawValue < $1.rawValue }.map { MemePicture.role($0).name }
    let what = "rendered \(names.joined(separator: ", ")) again"
    return version.map { "\(what) as version \($0)" } ?? "\(what), unchanged"
  }

  func repairThumbnail(of template: Int64) async throws -> String {
    guard let picture = try archive.picture(.picture, ofTemplate: template) else {
      throw MemeError.notFound
    }
    let files = try await renderers.renders.template(of: .sent(try verified(picture)))
    try await store.replaceThumbnail(of: template, by: files.thumbnail)
    return "regenerated from the template's picture"
  }

  func repairAvatar(_ size: AvatarSize, of person: Int64) async throws -> String {
    guard let picture = try archive.picture(.large, ofAvatar: person) else {
      throw MemeError.notFound
    }
    guard let file = try await renderers.renders.avatar(of: try verified(picture)).files[size]
    else {
      throw MemeError.notFound
    }
    try await store.replace(file, as: size, ofAvatar: person)
    return "regenerated from the largest size"
  }

  private func order(
    _ picture: Bytes, _ recipe: Recipe, as format: PictureFormat?
  ) -> RenderOrder {
    RenderOrder(
      picture: .sent(picture), recipe: recipe, maxEdge: recipe.maxEdge ?? defaultMaxEdge,
      format: format.flatMap { OutputFormat(rawValue: $0.rawValue) }, thumbnails: true)
  }

  private func whole(_ picture: MemePicture, of meme: Int64) throws -> Bytes {
    guard let picture = try archive.picture(picture, of: meme) else { throw MemeError.notFound }
    return try verified(picture)
  }

  private func verified(_ picture: PictureFile) throws -> Bytes {
    guard digest(picture.bytes) == picture.facts.digest else { throw Self.sourceIsDamaged }
    return picture.bytes
  }

  private static var sourceIsDamaged: MemeError { .storage(SourceIsDamaged()) }
}

extension RenderedMeme {
  fileprivate var files: [PictureRole: PictureFile] {
    guard let thumbnails else { return [.image: image] }
    return [.image: image, .tableThumbnail: thumbnails.table, .gridThumbnail: thumbnails.grid]
  }
}

private struct SourceIsDamaged: Error, CustomStringConvertible {
  let description = "the source picture is damaged too"
}
