import CPangoCairo

extension CaptionFace {
  /// A face that clients can choose, and the fonts that can draw it.
  struct Wish {
    let id: String
    let family: String
    /// The nearest match first.
    let candidates: [Candidate]
    /// Whether capitals are scaled to the height of Impact's.
    var hasImpactsHeight = false
  }

  struct Candidate {
    let description: Description
    /// The name of the installed font, if the font's own name does not identify it.
    var installed: String?
    /// A lighter font does not match: it is too thin for captions.
    var leastWeight: UInt32 = PANGO_WEIGHT_NORMAL.rawValue
    var fitting = Fitting()

    init(
      _ description: Description, installed: String? = nil, leastWeight: PangoWeight? = nil,
      fitting: Fitting = Fitting()
    ) {
      (self.description, self.installed, self.fitting) = (description, installed, fitting)
      if let leastWeight { self.leastWeight = leastWeight.rawValue }
    }

    /// A family that has a bold face.
    ///
    /// - Parameter fatten: the width of the fattening pen, in em, if the bold face is thin.
    static func bold(_ family: String, fatten: Double = 0) -> Candidate {
      Candidate(
        Description(family: family, weight: PANGO_WEIGHT_BOLD.rawValue),
        leastWeight: PANGO_WEIGHT_SEMIBOLD, fitting: Fitting(fatten: fatten, spacing: fatten / 2))
    }

    /// A family of one weight, whatever the family calls it.
    ///
    /// A font that is requested as bold or heavier, but is not, would be emboldened artificially. Semibold avoids that.
    /// It is near enough to bold for the fallback fonts that draw the characters the family lacks.
    static func single(_ family: String, fatten: Double = 0) -> Candidate {
      Candidate(
        Description(family: family, weight: PANGO_WEIGHT_SEMIBOLD.rawValue),
        fitting: Fitting(fatten: fatten, spacing: fatten / 2))
    }
  }

  /// The face of captions that do not choose one.
  private static let standard = Wish(
    id: "impact", family: "Impact",
    // The fittings were found by comparing each font with Impact at the same cap height.
    candidates: [
      .single("Impact"),
      .single("Anton"),
      Candidate(
        Description(family: "Bebas Neue"), installed: "Bebas Neue Bold",
        leastWeight: PANGO_WEIGHT_BOLD,
        fitting: Fitting(
          fatten: 0.055, fattensEuro: false, spacing: 0.03, wordSpacing: -0.015, stretch: 1.18)),
      Candidate(
        Description(
          family: "Noto Sans Display", stretch: PANGO_STRETCH_EXTRA_CONDENSED.rawValue),
        installed: "Noto Sans Display ExtraCondensed Black", leastWeight: PANGO_WEIGHT_HEAVY,
        fitting: Fitting(fatten: 0.04, spacing: 0, stretch: 0.9)),
      // Has lowercase letters, Greek, Cyrillic and Vietnamese, which most of the others lack.
      Candidate(
        Description(family: "Open Sans Condensed", weight: PANGO_WEIGHT_BOLD.rawValue),
        installed: "Open Sans Condensed Bold", leastWeight: PANGO_WEIGHT_BOLD,
        fitting: Fitting(fatten: 0.06, spacing: 0.03, wordSpacing: -0.05, stretch: 1.06)),
    ], hasImpactsHeight: true)

  private static let others = [
    Wish(
      id: "comic", family: "Comic Sans",
      candidates: [
        .bold("Comic Sans MS"), .bold("Comic Neue", fatten: 0.03), .bold("Chalkboard SE"),
      ]),
    Wish(
      id: "sans", family: "Noto Sans",
      candidates: [
        .bold("Noto Sans"), .bold("Helvetica Neue"), .bold("Arial"), .bold("DejaVu Sans"),
      ]),
    Wish(
      id: "serif", family: "Noto Serif",
      candidates: [
        .bold("Noto Serif"), .bold("Georgia"), .bold("Times New Roman"), .bold("DejaVu Serif"),
      ]),
    Wish(
      id: "typewriter", family: "American Typewriter",
      candidates: [
        .bold("American Typewriter"), .single("GNUTypewriter", fatten: 0.015), .bold("Courier New"),
        .bold("Liberation Mono"), .bold("DejaVu Sans Mono"),
      ]),
    Wish(
      id: "rounded", family: "Quicksand",
      candidates: [
        .bold("Quicksand", fatten: 0.015), .bold("Comfortaa"), .single("Arial Rounded MT Bold"),
        .bold("SF Pro Rounded"),
      ]),
    Wish(
      id: "condensed", family: "Yanone Kaffeesatz",
      candidates: [
        .bold("Yanone Kaffeesatz"), .bold("Roboto Condensed"), .bold("Avenir Next Condensed"),
        .bold("Arial Narrow"),
      ]),
    Wish(
      id: "display", family: "Lobster",
      candidates: [.single("Lobster"), .bold("Lobster Two"), .single("Chalkduster")]),
  ]

  /// Returns all faces of this machine: the standard face, the other built-in faces, then the added ones.
  ///
  /// - Throws: ``ImagingError/library(operation:message:)`` if no font is installed.
  static func all(
    in context: OpaquePointer
  ) throws(ImagingError) -> (standard: CaptionFace, all: [CaptionFace]) {
    let standard = try resolve(standard, in: context)
    var faces = [standard]
    for wish in others { faces.append(try resolve(wish, in: context)) }
    for added in AddedFont.all {
      guard let loaded = LoadedFont(added.description, in: context),
        !faces.contains(where: { $0.drawnFamily == loaded.family })
      else { continue }
      let id = added.id(besides: faces.map(\.id))
      faces.append(
        CaptionFace(
          id: id, family: added.family, installed: loaded.name, scale: 1, fitting: Fitting(),
          description: added.description))
    }
    return (standard, faces)
  }

  private var drawnFamily: String { description.family }

  /// Finds the nearest installed font. For the standard face, also finds the other installed candidates as stand-ins.
  private static func resolve(
    _ wish: Wish, in context: OpaquePointer
  ) throws(ImagingError) -> CaptionFace {
    let found = installed(wish, in: context)
    if var face = found.first {
      face.standIns = Array(found.dropFirst())
      return face
    }
    let anything = Candidate.bold("Sans")
    guard let loaded = LoadedFont(anything.description, in: context) else {
      throw .library(operation: "pango_context_load_font", message: "no font is installed")
    }
    return CaptionFace(wish, anything, loaded, in: context)
  }

  private static func installed(_ wish: Wish, in context: OpaquePointer) -> [CaptionFace] {
    var faces: [CaptionFace] = []
    for (place, candidate) in wish.candidates.enumerated() {
      // An operator who adds the first choice of a face wants it, whatever its weight is.
      let isAdded =
        place == 0 && AddedFont.all.contains { $0.family == candidate.description.family }
      guard let loaded = LoadedFont(candidate.description, in: context),
        loaded.isExactly(
          candidate.description, leastWeight: isAdded ? 0 : candidate.leastWeight)
      else { continue }
      faces.append(CaptionFace(wish, candidate, loaded, in: context))
      guard wish.hasImpactsHeight else { break }
    }
    return faces
  }

  private init(
    _ wish: Wish, _ candidate: Candidate, _ loaded: LoadedFont, in context: OpaquePointer
  ) {
    // Fattening makes capitals taller by the width of its pen.
    let height = Self.capHeight - candidate.fitting.fatten
    let capRatio = wish.hasImpactsHeight ? candidate.description.capRatio(in: context) : nil
    self.init(
      id: wish.id, family: wish.family, installed: candidate.installed ?? loaded.name,
      scale: capRatio.map { height / $0 } ?? 1, fitting: candidate.fitting,
      description: candidate.description)
  }
}
