import CFontconfig
import CPangoCairo

/// A font family that the operator added to the machine's fonts.
package struct AddedFont: Sendable {
  package let family: String
  let description: CaptionFace.Description

  /// Adds the fonts in `folder` and its subfolders to the process. Call this before the first caption is drawn: other
  /// threads must not look fonts up at the same time.
  ///
  /// - Returns: all families added so far.
  package static func add(folder: String) -> [AddedFont] {
    FcConfigAppFontAddDir(nil, folder)
    return all
  }

  /// All added families, sorted by name.
  package static var all: [AddedFont] {
    guard let set = FcConfigGetFonts(nil, FcSetApplication)?.pointee else { return [] }
    var nearest: [String: Member] = [:]
    for pattern in UnsafeBufferPointer(start: set.fonts, count: Int(set.nfont)) {
      guard let pattern, let member = Member(pattern) else { continue }
      if let other = nearest[member.family], other.distance <= member.distance { continue }
      nearest[member.family] = member
    }
    return nearest.values.sorted { $0.family < $1.family }.map { member in
      AddedFont(
        family: member.family,
        description: CaptionFace.Description(
          family: member.family, stretch: member.stretch.rawValue, weight: UInt32(member.weight)))
    }
  }

  /// Returns the id by which clients choose the family: its lowercased name with hyphens, different from
  /// all ids in `taken`.
  func id(besides taken: [String]) -> String {
    var name = ""
    for scalar in family.lowercased().unicodeScalars {
      if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        name.unicodeScalars.append(scalar)
      } else if scalar.properties.isAlphabetic {
        // Letters of other alphabets become their code points, because the id is part of a URL.
        name += "u" + String(scalar.value, radix: 16)
      } else if !name.isEmpty, name.last != "-" {
        name += "-"
      }
    }
    while name.last == "-" { name.removeLast() }
    if name.isEmpty { name = "font" }
    guard taken.contains(name) else { return name }
    return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
  }

  /// One font of a family.
  private struct Member {
    let family: String
    /// On the scale of CSS and Pango: 400 is regular, 700 is bold.
    let weight: Int
    let stretch: PangoStretch
    /// The distance from the upright bold face of normal width, which suits captions best.
    let distance: Int

    init?(_ pattern: OpaquePointer) {
      var name: UnsafeMutablePointer<FcChar8>?
      var (weight, slant, width): (Int32, Int32, Int32) = (80, 0, 100)
      guard FcPatternGetString(pattern, FC_FAMILY, 0, &name) == FcResultMatch, let name else {
        return nil
      }
      family = String(cString: name)
      var isOutline: FcBool = 1
      guard FcPatternGetBool(pattern, FC_OUTLINE, 0, &isOutline) != FcResultMatch || isOutline != 0
      else { return nil }
      // A property that the pattern lacks keeps its default above.
      _ = FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight)
      _ = FcPatternGetInteger(pattern, FC_SLANT, 0, &slant)
      _ = FcPatternGetInteger(pattern, FC_WIDTH, 0, &width)
      self.weight = min(1000, max(100, Int(FcWeightToOpenType(weight))))
      stretch =
        switch width {
        case ..<56: PANGO_STRETCH_ULTRA_CONDENSED
        case ..<69: PANGO_STRETCH_EXTRA_CONDENSED
        case ..<81: PANGO_STRETCH_CONDENSED
        case ..<94: PANGO_STRETCH_SEMI_CONDENSED
        case ..<106: PANGO_STRETCH_NORMAL
        case ..<119: PANGO_STRETCH_SEMI_EXPANDED
        case ..<138: PANGO_STRETCH_EXPANDED
        case ..<175: PANGO_STRETCH_EXTRA_EXPANDED
        default: PANGO_STRETCH_ULTRA_EXPANDED
        }
      distance =
        (slant == 0 ? 0 : 1_000_000) + abs(Int(width) - 100) * 1000 + abs(self.weight - 700)
    }
  }
}
