import HTTP
import Memes

/// How settings are written.
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
    let choices = captions.choices
    json.member("font", choices.font?.text)
    json.member("fill", choices.fill?.description)
    json.member("outline", choices.outline?.description)
    json.member("outlineWidth", choices.outlineWidth)
    json.member("size", choices.size)
    json.member("case", choices.letterCase?.rawValue)
    json.member("align", choices.align?.rawValue)
    json.member("layout", captions.layout?.rawValue)
  }
}
