import JSON
import Memes

/// Reads personal settings. Omitted fields keep their value, and `null` resets a field to its default.
extension FieldDecoder {
  static let settingsMembers: Set<String> = [
    "theme", "accessibility", "captions", "visibility", "notifications",
  ]

  /// - Parameter faces: the font faces that captions can use.
  mutating func settings(over base: PersonalSettings, faces: [FontFace]) -> PersonalSettings {
    let standard = PersonalSettings()
    var settings = base
    settings.theme = settled(
      "theme", word("theme", PersonalSettings.Theme.self), over: base.theme,
      standard: standard.theme)
    settings.visibility = settled(
      "visibility", word("visibility", Visibility.self), over: base.visibility,
      standard: standard.visibility)
    settings.accessibility = members(
      "accessibility", ["textScale", "reducedMotion", "highContrast"], over: base.accessibility,
      standard: standard.accessibility
    ) { $0.accessibility(over: base.accessibility) }
    settings.captions = members(
      "captions", ["font", "fill", "outline", "outlineWidth", "size", "case", "align", "layout"],
      over: base.captions, standard: standard.captions
    ) { $0.captions(over: base.captions, faces: faces) }
    settings.notifications = members(
      "notifications", ["likes", "comments", "follows"], over: base.notifications,
      standard: standard.notifications
    ) { $0.notifications(over: base.notifications) }
    return settings
  }

  private mutating func accessibility(
    over base: PersonalSettings.Accessibility
  ) -> PersonalSettings.Accessibility {
    let standard = PersonalSettings.Accessibility()
    var result = base
    result.textScale = settled(
      "textScale", fraction("textScale", in: PersonalSettings.Accessibility.textScales),
      over: base.textScale, standard: standard.textScale)
    result.reducedMotion = flag(
      "reducedMotion", over: base.reducedMotion, standard: standard.reducedMotion)
    result.highContrast = flag(
      "highContrast", over: base.highContrast, standard: standard.highContrast)
    return result
  }

  private mutating func captions(
    over base: PersonalSettings.Captions, faces: [FontFace]
  ) -> PersonalSettings.Captions {
    var result = base
    result.layout = word("layout", CaptionLayout.self) ?? kept("layout", base.layout)
    result.choices = choices(over: base.choices, faces: faces)
    return result
  }

  private mutating func notifications(
    over base: PersonalSettings.Notifications
  ) -> PersonalSettings.Notifications {
    let standard = PersonalSettings.Notifications()
    var result = base
    result.likes = flag("likes", over: base.likes, standard: standard.likes)
    result.comments = flag("comments", over: base.comments, standard: standard.comments)
    result.follows = flag("follows", over: base.follows, standard: standard.follows)
    return result
  }

  private mutating func flag(_ name: String, over base: Bool, standard: Bool) -> Bool {
    settled(name, flag(name), over: base, standard: standard)
  }

  /// Reads an object by its members.
  private mutating func members<Value>(
    _ name: String, _ known: Set<String>, over base: Value, standard: Value,
    _ read: (inout FieldDecoder) -> Value
  ) -> Value {
    settled(name, object(name, known: known, read), over: base, standard: standard)
  }
}
