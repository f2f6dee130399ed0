package import Memes
import Metrics
package import Storage

/// Serves meme pictures in other sizes and formats. Each rendition is made on first request and then stored.
package struct Renditions: Sendable {
  package let meter = RenditionMeter()
  private let memes: MemeStore
  private let derived: any DerivedPictureStore
  private let renderer: any MemeRenderer
  private let hasRoom: @Sendable () -> Bool
  private let report: @Sendable (any Error) -> Void
  private let flights = SingleFlight<DerivedPictureKey, PictureFile>()
  private let failures: RecentFailures

  /// - Parameters:
  ///   - renderer: must be able to read the images of all memes.
  ///   - hasRoom: whether the disk has room for more pictures.
  ///   - report: receives errors that are not thrown to a caller.
  ///   - ticks: a monotonic clock.
  package init(
    memes: MemeStore, derived: any DerivedPictureStore, renderer: any MemeRenderer,
    hasRoom: @escaping @Sendable () -> Bool, report: @escaping @Sendable (any Error) -> Void,
    ticks: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    failures = RecentFailures(now: ticks)
    (self.memes, self.derived, self.renderer) = (memes, derived, renderer)
    (self.hasRoom, self.report) = (hasRoom, report)
  }

  /// A rendition of a meme's image. Concurrent callers for the same rendition share one rendering.
  ///
  /// - Parameter version: the required version of the meme; `nil` for the current one.
  /// - Throws: the same errors as ``look(at:version:as:for:)``; ``MemeError/overloaded``,
  ///   ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  package func picture(
    of id: MemeID, version: Int? = nil, as wish: RenditionRequest, for viewer: Principal
  ) async throws -> StoredPicture {
    while true {
      switch try await look(at: id, version: version, as: wish, for: viewer) {
      case .image(let image): return image
      case .kept(let picture):
        meter.found.add()
        return picture
      case .missing(let key, let visibility):
        try failures.check(key)
        do {
          let picture = try await flights.value(for: key) {
            try await make(key, for: wish)
          }
          return StoredPicture(
            file: StoredPictureFile(picture), version: key.version, visibility: visibility)
        } catch {
          // The meme was edited after the lookup. A caller without a version gets the new picture.
          guard case MemeError.superseded = error, version == nil else { throw error }
        }
      }
    }
  }

  /// Looks up a rendition without making it.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the meme, or the version never existed;
  ///   ``MemeError/superseded`` if the version is not the current one; ``MemeError/gone``.
  package func look(
    at id: MemeID, version: Int? = nil, as wish: RenditionRequest, for viewer: Principal
  ) async throws -> DerivedPicture {
    let found = try await derived.find(wish, of: id, for: viewer)
    let there =
      switch found {
      case .image(let picture), .kept(let picture): picture.version
      case .missing(let key, _): key.version
      }
    if let refusal = MemeError.refusal(of: version, at: there) { throw refusal }
    return found
  }

  /// The preferred rendition of a meme's image. If it cannot be made, returns a rendition in the original format, or
  /// the image itself if the wish has no width. A failed rendering thus does not prevent a response.
  ///
  /// - Returns: the picture, and whether it is the preferred one.
  /// - Throws: if the wish has a width, the same errors as ``picture(of:version:as:for:)``.
  package func picture(
    of id: MemeID, version: Int? = nil, preferring wish: RenditionRequest, for viewer: Principal
  ) async throws -> (StoredPicture, isPreferred: Bool) {
    do {
      return (try await picture(of: id, version: version, as: wish, for: viewer), true)
    } catch {
      switch error {
      case MemeError.overloaded, MemeError.throttled, MemeError.renderTimeout,
        MemeError.renderingStarved:
        break
      case MemeError.rendering(let cause) where !(cause is CancellationError): report(error)
      default: throw error
      }
      let plain = RenditionRequest(width: wish.width, format: nil)
      return (try await picture(of: id, version: version, as: plain, for: viewer), false)
    }
  }

  private func make(
    _ key: DerivedPictureKey, for wish: RenditionRequest
  ) async throws -> PictureFile {
    // Another caller may have made it since the lookup. The viewers are already authorized, so this reads as admin.
    if case .kept(let picture) = try await derived.find(wish, of: key.meme, for: .admin),
      picture.version == key.version
    {
      return try await picture.file.loaded()
    }
    let picture: PictureFile
    do { picture = try await draw(key) } catch {
      failures.note(error, of: key)
      throw error
    }
    meter.made.add()
    await keep(picture, as: key)
    return picture
  }

  private func draw(_ key: DerivedPictureKey) async throws -> PictureFile {
    // Reads the image when a worker is free, so that waiting requests hold no memory.
    let source = RenderSource.read { [memes] in
      do {
        return try memes.file(.image, of: key.meme, at: key.version)
      } catch {
        if case MemeError.versionMismatch = error { throw MemeError.superseded }
        throw error
      }
    }
    do {
      return try await renderer.render(RenderOrder(redrawing: source, as: key.derivation)).image
    } catch {
      switch error {
      // The stored picture is damaged. The client cannot fix that.
      case MemeError.invalid, MemeError.unsupportedPicture: throw MemeError.rendering(error)
      default: throw error
      }
    }
  }

  /// The callers get the picture even if it is not stored.
  private func keep(_ picture: PictureFile, as key: DerivedPictureKey) async {
    guard hasRoom() else { return }
    do {
      if try await derived.keep(picture, as: key) { meter.kept.add() }
    } catch { report(error) }
  }
}

extension RenderOrder {
  /// Draws no captions: the source image already has them.
  package init(redrawing source: RenderSource, as derivation: Derivation) throws {
    let longest = max(derivation.size.longestEdge, MaxEdge.range.lowerBound)
    let edge: MaxEdge
    do throws(InvalidValue) { edge = try MaxEdge(pixels: longest) } catch {
      throw MemeError.invalid(field: "width", error)
    }
    self.init(
      picture: source, recipe: Recipe(), maxEdge: edge, format: derivation.format,
      thumbnails: false)
  }
}
