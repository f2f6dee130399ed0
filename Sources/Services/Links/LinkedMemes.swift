import Bytes
package import Memes
package import Outgoing
package import Storage
import Synchronization

/// Draws memes from addresses. Nothing is stored: the pictures are only cached in memory.
package struct LinkedMemes: Sendable {
  private struct Key: Hashable {
    let origin: LinkGround.Origin
    let recipe: Recipe
    let pictures: [Digest]
    let canvas: PixelSize?
    let sizeLimit: PixelSize
    let format: OutputFormat

    /// A box has some numbers and names in addition to its text.
    var bytes: Int {
      recipe.texts.reduce(128 * pictures.count) { $0 + 512 + $1.text.utf8.count }
    }
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
    let drawing: MemeDrawing
    let get: @Sendable (String) async -> PictureDownload
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - reader: reads the headers of pictures, within the limits of uploads.
    ///   - drawing: draws on pictures, within the same limits.
    ///   - get: gets the file at a URL.
    package init(
      from hosts: PictureHosts, reader: any PictureReader, drawing: MemeDrawing,
      now: @escaping @Sendable () -> Timestamp,
      get: @escaping @Sendable (String) async -> PictureDownload
    ) {
      (self.hosts, self.reader, self.drawing) = (hosts, reader, drawing)
      (self.now, self.get) = (now, get)
    }
  }

  /// The downloads that run for each caller, so that slow ones do not take all places.
  private final class Shares: Sendable {
    private static let mostOfCaller = 4

    private let running = Mutex<[Caller?: Int]>([:])

    /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the caller has too many.
    func run<Value>(
      for caller: Caller?, _ body: () async throws -> Value
    ) async throws -> Value {
      let isPermitted = running.withLock { running in
        guard running[caller, default: 0] < Self.mostOfCaller else { return false }
        running[caller, default: 0] += 1
        return true
      }
      guard isPermitted else { throw MemeError.overloaded(retryAfter: .seconds(1)) }
      defer {
        running.withLock { running in
          let rest = running[caller, default: 1] - 1
          running[caller] = rest > 0 ? rest : nil
        }
      }
      return try await body()
    }
  }

  /// The maximum size of a picture of another server. It is in memory while it waits to be drawn.
  package static let maximumDownloadBytes = 4 << 20
  /// The template in addresses whose picture is on another server.
  private static let custom = "custom"

  private let templates: TemplateStore
  private let drawing: MemeDrawing
  private let downloads: Downloads
  private let drawn: RecentPictures<Key>
  private let downloaded: RecentPictures<DownloadKey>
  private let shares = Shares()

  /// - Parameter cacheBytes: the maximum memory of the cached memes, and again of the pictures of other servers.
  package init(
    templates: TemplateStore, drawing: MemeDrawing, downloads: Downloads, cacheBytes: Int
  ) {
    (self.templates, self.drawing, self.downloads) = (templates, drawing, downloads)
    drawn = RecentPictures(capacityBytes: cacheBytes, keyBytes: \.bytes)
    downloaded = RecentPictures(
      // Without a cache, each request would ask the other server.
      capacityBytes: downloads.hosts.isEmpty
        ? 0 : max(cacheBytes, 2 * Self.maximumDownloadBytes + 16 << 10),
      keyBytes: \.url.text.utf8.count)
  }

  /// Finds what an address is drawn on: a template, or the picture of another server.
  ///
  /// - Parameter name: an alias or an ID of a template, or `custom` with a picture of another server.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/invalid(field:_:)`` for the field `background`,
  ///   or for `style` if one of its URLs is not permitted.
  package func ground(_ name: String, _ options: MemeLinkOptions) async throws -> LinkGround {
    // First, so that nothing is fetched if one of them is not permitted.
    for url in options.pictures { if let url { try check(url, for: "style") } }
    guard let url = options.background else {
      guard let reference = TemplateReference(name) else { throw MemeError.notFound }
      return LinkGround(try await templates.template(reference))
    }
    guard name == Self.custom else {
      throw MemeError.invalid(
        field: "background",
        InvalidValue(
          code: "not-together", message: "Only the template custom can have another picture."))
    }
    let file = try await file(at: url, for: "background")
    return LinkGround(file.bytes, file.facts)
  }

  /// Gets the pictures for the places of a template from other servers. With that in `background`, they are in memory
  /// until they are drawn, so their size is limited together.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` for the field `style`.
  package func pictures(
    _ options: MemeLinkOptions, on ground: LinkGround
  ) async throws -> [PictureFile] {
    var files: [PictureFile] = []
    var bytes = ground.template == nil ? ground.facts.byteCount : 0
    for url in options.pictures.compactMap(\.self) {
      let file = try await file(at: url, for: "style")
      files.append(file)
      bytes += file.bytes.count
      guard bytes <= Self.maximumDownloadBytes else {
        throw MemeError.invalid(
          field: "style",
          InvalidValue(
            code: "too-large",
            message: """
              The pictures may have at most \(Self.maximumDownloadBytes >> 20) MiB together.
              """))
      }
    }
    return files
  }

  /// - Parameter field: the field of the request that has the URL, for errors.
  private func file(at url: RemoteURL, for field: String) async throws -> PictureFile {
    try check(url, for: field)
    do { return try await file(at: url) } catch let value as InvalidValue {
      throw MemeError.invalid(field: field, value)
    }
  }

  /// - Throws: an ``InvalidValue`` if the picture was not received or is broken. Several requests with different fields
  ///   may wait for it.
  private func file(at url: RemoteURL) async throws -> PictureFile {
    let hour = downloads.now().millisecondsSince1970 / 3_600_000
    return try await downloaded.file(DownloadKey(url: url, hour: hour)) { [downloads, shares] in
      let bytes: Bytes
      let download = try await shares.run(for: Requester.current?.turn) {
        await downloads.get(url.text)
      }
      // No one waits for it any longer.
      guard !Task.isCancelled else { throw MemeError.overloaded() }
      switch download {
      case .received(let received): bytes = received
      case .busy: throw MemeError.overloaded()
      case .failed(let reason):
        throw InvalidValue(
          code: "not-downloaded", message: "The picture was not received: \(reason).")
      }
      do {
        return PictureFile(facts: try await downloads.reader.facts(of: bytes), bytes: bytes)
      } catch MemeError.invalid(_, let value) { throw value }
    }
  }

  private func check(_ url: RemoteURL, for field: String) throws {
    guard downloads.hosts.permits(url) else {
      throw MemeError.invalid(
        field: field,
        InvalidValue(
          code: "not-allowed",
          message: "This server gets no pictures from there. MEMEME_PICTURE_HOSTS names the hosts.")
      )
    }
  }

  /// The recipe of a linked meme.
  ///
  /// - Parameter field: the field of the request that has the texts, for errors.
  /// - Throws: ``MemeError/invalid(field:_:)`` for that field or `style`.
  package func recipe(
    with texts: [String], on ground: LinkGround, _ options: MemeLinkOptions,
    field: String = "lines"
  ) throws -> Recipe {
    var recipe: Recipe
    do throws(InvalidValue) {
      recipe = try options.recipe(with: texts, on: ground, within: drawing.defaultMaxEdge)
    } catch { throw MemeError.invalid(field: field, error) }
    do throws(InvalidValue) { recipe.pictures = try options.places(on: ground) } catch {
      throw MemeError.invalid(field: "style", error)
    }
    return recipe
  }

  /// The picture of a linked meme. A picture that is not in the cache is drawn at the caller's cost.
  ///
  /// - Parameter pictures: those of the recipe's boxes, in their order.
  /// - Throws: the errors of the renderer and of the store.
  package func picture(
    on ground: LinkGround, _ recipe: Recipe, _ pictures: [PictureFile],
    _ options: MemeLinkOptions, as format: OutputFormat
  ) async throws -> PictureFile {
    let canvas = options.canvas(within: drawing.defaultMaxEdge)
    let sizeLimit = options.sizeLimit(on: ground, within: drawing.defaultMaxEdge)
    let key = Key(
      origin: ground.origin, recipe: recipe, pictures: pictures.map(\.facts.digest),
      canvas: canvas, sizeLimit: sizeLimit, format: format)
    let drawing = ground.template == nil ? downloads.drawing : drawing
    var draft = MemeDraft(picture: ground.source, recipe: recipe, format: format)
    (draft.canvas, draft.sizeLimit) = (canvas, sizeLimit)
    return try await drawn.file(key) { [draft] in
      do {
        let boxes = try await drawing.boxes(pictures.map { .image($0.bytes) }, copying: false)
        return try await drawing.draw(draft, boxes, for: .anonymous, thumbnails: false).image
      } catch MemeError.invalid("image", let value) {
        throw MemeError.invalid(field: "background", value)
      } catch MemeError.invalid(let field, let value)
        where field.hasPrefix("pictures") || field == "template" && !pictures.isEmpty
      {
        // All pictures of a crashed job are blamed together, but only these are new.
        throw MemeError.invalid(field: "style", value)
      }
    }
  }
}
