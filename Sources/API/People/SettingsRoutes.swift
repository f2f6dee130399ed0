import HTTP
import Memes
package import Services
package import Storage

/// Personal settings, which apply to all devices of a user.
package struct SettingsRoutes: Sendable {
  private let settings: SettingsStore
  private let fonts: InstalledFonts
  private let context: APIContext
  private let body: Route.Body

  package init(settings: SettingsStore, fonts: InstalledFonts, context: APIContext) {
    (self.settings, self.fonts, self.context) = (settings, fonts, context)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.get, "/users/me/settings", access: .person, takesTokens: true, show),
      Route(
        .put, "/users/me/settings", access: .person, takesTokens: true, limit: .settings,
        body: body, replace),
      Route(
        .patch, "/users/me/settings", access: .person, takesTokens: true, limit: .settings,
        body: body, change),
    ]
  }

  private func show(_ call: Call) async throws -> Response {
    response(try await settings.settings(of: call.signedIn().person))
  }

  private func replace(_ call: Call) async throws -> Response {
    try await change(call) { _ in PersonalSettings() }
  }

  private func change(_ call: Call) async throws -> Response {
    try await change(call) { $0 }
  }

  /// - Parameter base: returns the values for omitted fields, given the stored settings.
  private func change(
    _ call: Call, over base: (PersonalSettings) -> PersonalSettings
  ) async throws -> Response {
    let fields = try FieldDecoder(
      people: call.request.body, known: FieldDecoder.settingsMembers)
    let stored = try await settings.change(
      of: call.signedIn().person, if: call.versionCondition()
    ) {
      var fields = fields
      let revised = fields.settings(over: base($0), faces: fonts.faces)
      try fields.finish()
      return revised
    }
    return response(stored)
  }

  private func response(_ stored: StoredSettings) -> Response {
    var json = JSONWriter()
    SettingsJSON.write(stored.settings, to: &json)
    return .revalidated(json.finish(), version: "\(stored.version).", context.digest)
  }
}
