import HTTP
import Memes

/// Writes personal settings as JSON.
enum SettingsJSON {
  static func write(_ settings: PersonalSettings, to json: inout JSONWriter) {
    json.object { json in
      json.member("theme", settings.theme.rawValue)
      json.object("accessibility") { json in
        json.member("textScale", settings.accessibility.textScale)
        json.member("reducedMotion", settings.accessibility.reducedMotion)
        json.member("highContrast", settings.accessibility.highContrast)
      }
      json.object("captions") { write(settings.captions, to: &$0) }
      json.member("visibility", settings.visibility.rawValue)
      json.object("notifications") { json in
        json.member("likes", settings.notifications.likes)
        json.member("comments", settings.notifications.comments)
        json.member("follows", settings.notifications.follows)
      }
    }
  }

  private static func write(_ captions: PersonalSettings.Captions, to json: inout JSONWriter) {
    captions.choices.write(to: &json)
    json.member("layout", captions.layout?.rawValue)
  }
}

extension StyleChoices {
  /// Writes the chosen parts of a style under their form field names, and `null` for the others.
  func write(to json: inout JSONWriter) {
    json.member("font", font?.text)
    json.member("fill", fill?.description)
    json.member("outline", outline?.description)
    json.member("outlineWidth", outlineWidth)
    json.member("size", size)
    json.member("case", letterCase?.rawValue)
    json.member("align", align?.rawValue)
  }
}
