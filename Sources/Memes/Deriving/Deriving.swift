import Metrics

/// Shows memes' pictures in other sizes and kinds of file: makes each once, when it is first asked for, and keeps it.
package struct Deriving: Sendable {
  package let meter = DerivingMeter()
  private let memes: any MemeStore
  private let derived: any DerivedPictureStore
  private let renderer: any MemeRenderer
  private let hasRoom: @Sendable () -> Bool
  private let report: @Sendable (MemeError) -> Void
  private let flights = SingleFlight<DerivedPictureKey, PictureFile>()
  private let failures: RecentFailures

  /// - Parameters:
  ///   - renderer: reads whatever is a meme's image.
  ///   - hasRoom: whether the disk takes more pictures.
  ///   - report: told why a picture could not be kept or made, where nobody who asks hears of it.
  ///   - ticks: a clock that never goes back.
  package init(
    memes: any MemeStore, derived: any DerivedPictureStore, renderer: any MemeRenderer,
    hasRoom: @escaping @Sendable () -> Bool, report: @escaping @Sendable (MemeError) -> Void,
    ticks: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    failures = RecentFailures(now: ticks)
    (self.memes, self.derived, self.renderer) = (memes, derived, renderer)
    (self.hasRoom, self.report) = (hasRoom, report)
  }

  /// A meme's picture as it is wanted. Many who want the same at the same time share one making of it.
  ///
  /// - Parameter version: the one that the picture must be of; `nil` for what there is.
  /// - Throws: what ``Browsing/picture(_:of:version:for:)`` throws; ``MemeError/overloaded``,
  ///   ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  package func picture(
    of id: MemeID, version: Int? = nil, as wish: PictureWish, for viewer: Viewer
  ) async throws(MemeError) -> StoredPicture {
    while true {
      switch try await look(at: id, version: version, as: wish, for: viewer) {
      case .image(let image): return image
      case .kept(let picture):
        meter.found.add()
        return picture
      case .missing(let key, let visibility):
        try failures.check(key)
        do throws(MemeError) {
          let picture = try await flights.value(for: key) { () throws(MemeError) in
            try await make(key, for: wish)
          }
          return StoredPicture(file: picture, version: key.version, visibility: visibility)
        } catch {
          // The meme was edited after the first look: who asked for no version gets the new picture.
          guard case .superseded = error, version == nil else { throw error }
        }
      }
    }
  }

  /// Looks for a picture without making it.
  ///
  /// - Throws: what ``Browsing/picture(_:of:version:for:)`` throws.
  package func look(
    at id: MemeID, version: Int? = nil, as wish: PictureWish, for viewer: Viewer
  ) async throws(MemeError) -> DerivedPicture {
    let found = try await derived.find(wish, of: id, for: viewer)
    let there =
      switch found {
      case .image(let picture), .kept(let picture): picture.version
      case .missing(let key, _): key.version
      }
    if let refusal = MemeError.refusal(of: version, at: there) { throw refusal }
    return found
  }

  /// A meme's picture as it is preferred, or at least as wide, or at least as it is: a picture that is there is not refused
  /// because a better one cannot be made.
  ///
  /// - Returns: the picture, and whether it is the one that is preferred.
  /// - Throws: what ``picture(of:version:as:for:)`` throws, where the wish has a width.
  package func picture(
    of id: MemeID, version: Int? = nil, preferring wish: PictureWish, for viewer: Viewer
  ) async throws(MemeError) -> (StoredPicture, isPreferred: Bool) {
    do throws(MemeError) {
      return (try await picture(of: id, version: version, as: wish, for: viewer), true)
    } catch {
      switch error {
      case .overloaded, .throttled, .renderTimeout, .renderingStarved: break
      case .rendering(let cause) where !(cause is CancellationError): report(error)
      default: throw error
      }
      let plain = PictureWish(width: wish.width, format: nil)
      return (try await picture(of: id, version: version, as: plain, for: viewer), false)
    }
  }

  private func make(
    _ key: DerivedPictureKey, for wish: PictureWish
  ) async throws(MemeError) -> PictureFile {
    // The flight before this one may have landed since. All who wait have been let in.
    if case .kept(let picture) = try await derived.find(wish, of: key.meme, for: .admin),
      picture.version == key.version
    {
      return picture.file
    }
    let picture: PictureFile
    do throws(MemeError) { picture = try await draw(key) } catch {
      failures.note(error, of: key)
      throw error
    }
    meter.made.add()
    await keep(picture, as: key)
    return picture
  }

  private func draw(_ key: DerivedPictureKey) async throws(MemeError) -> PictureFile {
    // When its turn has come: who waits takes no memory.
    let source = OrderedPicture.read { [memes] () throws(MemeError) in
      do throws(MemeError) {
        return try memes.file(.image, of: key.meme, at: key.version)
      } catch {
        if case .versionMismatch = error { throw .superseded }
        throw error
      }
    }
    do throws(MemeError) {
      return try await renderer.render(RenderOrder(redrawing: source, as: key.derivation)).image
    } catch {
      switch error {
      // What is stored is broken, which is nothing that the client could mend.
      case .invalid, .unsupportedPicture: throw .rendering(error)
      default: throw error
      }
    }
  }

  /// Whoever waits has the picture, kept or not.
  private func keep(_ picture: PictureFile, as key: DerivedPictureKey) async {
    guard hasRoom() else { return }
    do throws(MemeError) {
      if try await derived.keep(picture, as: key) { meter.kept.add() }
    } catch { report(error) }
  }
}

extension RenderOrder {
  /// Nothing is drawn on the picture: it has its captions.
  package init(redrawing source: OrderedPicture, as derivation: Derivation) throws(MemeError) {
    let longest = max(derivation.size.longestEdge, MaxEdge.range.lowerBound)
    let edge: MaxEdge
    do throws(InvalidValue) { edge = try MaxEdge(pixels: longest) } catch {
      throw .invalid(field: "width", error)
    }
    self.init(
      picture: source, recipe: Recipe(), maxEdge: edge, format: derivation.format,
      thumbnails: false)
  }
}
