import Bytes
package import Memes
package import Outgoing
package import Storage

/// Draws memes from addresses. Nothing is stored: the pictures are only cached in memory.
package struct LinkedMemes: Sendable {
  private struct Key: Hashable {
    let origin: LinkGround.Origin
    let recipe: Recipe
    let format: OutputFormat

    /// A box has some numbers and names in addition to its text.
    var bytes: Int { recipe.texts.reduce(0) { $0 + 512 + $1.text.utf8.count } }
  }

  /// A picture of another server is asked for again in the next hour.
  private struct DownloadKey: Hashable {
    let url: RemoteURL
    let hour: Int64
  }

  /// Gets pictures from other servers.
  package struct Downloads: Sendable {
    let hosts: PictureHosts
    let reader: any PictureReader
    let get: @Sendable (String) async -> PictureDownload
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - reader: reads the headers of pictures.
    ///   - get: gets the file at a URL.
    package init(
      from hosts: PictureHosts, reader: any PictureReader,
      now: @escaping @Sendable () -> Timestamp,
      get: @escaping @Sendable (String) async -> PictureDownload
    ) { (self.hosts, self.reader, self.now, self.get) = (hosts, reader, now, get) }
  }

  /// The template in addresses whose picture is on another server.
  private static let custom = "custom"

  private let templates: TemplateStore
  private let drawing: MemeDrawing
  private let downloads: Downloads
  private let pictures: RecentPictures<Key>
  private let downloaded: RecentPictures<DownloadKey>

  /// - Parameter cacheBytes: the maximum memory of the cached pictures.
  package init(
    templates: TemplateStore, drawing: MemeDrawing, downloads: Downloads, cacheBytes: Int
  ) {
    (self.templates, self.drawing, self.downloads) = (templates, drawing, downloads)
    pictures = RecentPictures(capacityBytes: cacheBytes, keyBytes: \.bytes)
    downloaded = RecentPictures(
      capacityBytes: downloads.hosts.isEmpty ? 0 : cacheBytes, keyBytes: \.url.text.utf8.count)
  }

  /// Finds what an address is drawn on: a template, or the picture of another server.
  ///
  /// - Parameter name: an alias or an ID of a template, or `custom` with a picture of another server.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/invalid(field:_:)`` for the field `background`.
  package func ground(_ name: String, _ options: MemeLinkOptions) async throws -> LinkGround {
    guard let url = options.background else {
      guard let reference = TemplateReference(name) else { throw MemeError.notFound }
      return LinkGround(try await templates.template(reference))
    }
    do throws(InvalidValue) { try check(url, name) } catch {
      throw MemeError.invalid(field: "background", error)
    }
    let hour = downloads.now().millisecondsSince1970 / 3_600_000
    let file = try await downloaded.file(DownloadKey(url: url, hour: hour)) { [downloads] in
      let bytes: Bytes
      switch await downloads.get(url.text) {
      case .received(let received): bytes = received
      case .failed(let reason):
        throw MemeError.invalid(
          field: "background",
          InvalidValue(code: "not-downloaded", message: "The picture was not received: \(reason)."))
      }
      do {
        return PictureFile(facts: try await downloads.reader.facts(of: bytes), bytes: bytes)
      } catch MemeError.invalid(_, let value) {
        throw MemeError.invalid(field: "background", value)
      }
    }
    return LinkGround(file.bytes, file.facts)
  }

  private func check(_ url: RemoteURL, _ name: String) throws(InvalidValue) {
    guard name == Self.custom else {
      throw InvalidValue(
        code: "not-together", message: "Only the template custom can have another picture.")
    }
    guard downloads.hosts.permits(url) else {
      throw InvalidValue(
        code: "not-allowed",
        message: "This server gets no pictures from there. MEMEME_PICTURE_HOSTS names the hosts.")
    }
  }

  /// The recipe of a linked meme.
  ///
  /// - Parameter field: the field of the request that has the texts, for errors.
  /// - Throws: ``MemeError/invalid(field:_:)``.
  package func recipe(
    with texts: [String], on ground: LinkGround, _ options: MemeLinkOptions,
    field: String = "lines"
  ) throws -> Recipe {
    do throws(InvalidValue) {
      return try options.recipe(with: texts, on: ground, within: drawing.defaultMaxEdge)
    } catch { throw MemeError.invalid(field: field, error) }
  }

  /// The picture of a linked meme. A picture that is not in the cache is drawn at the caller's cost.
  ///
  /// - Throws: the errors of the renderer and of the store.
  package func picture(
    on ground: LinkGround, _ recipe: Recipe, as format: OutputFormat
  ) async throws -> PictureFile {
    let key = Key(origin: ground.origin, recipe: recipe, format: format)
    return try await pictures.file(key) { [drawing] in
      do {
        return try await drawing.draw(
          MemeDraft(picture: ground.source, recipe: recipe, format: format),
          for: .anonymous, thumbnails: false
        ).image
      } catch MemeError.invalid("image", let value) {
        throw MemeError.invalid(field: "background", value)
      }
    }
  }
}
