package import Bytes
import HTTP
package import Memes
package import Services

/// Personal settings, which apply to all devices of a user.
package struct SettingsRoutes: Sendable {
  private let keeping: KeepingSettings
  private let fonts: InstalledFonts
  private let digest: Digester
  private let body: Route.Body

  /// - Parameter spool: where request bodies are stored while they arrive.
  package init(
    keeping: KeepingSettings, fonts: InstalledFonts, digest: @escaping Digester,
    spool: SpoolPlace
  ) {
    (self.keeping, self.fonts, self.digest) = (keeping, fonts, digest)
    body = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.get, "/users/me/settings", access: .person, show),
      Route(.put, "/users/me/settings", access: .person, limit: .settings, body: body, replace),
      Route(.patch, "/users/me/settings", access: .person, limit: .settings, body: body, change),
    ]
  }

  private func show(_ call: Call) async throws -> Response {
    response(try keeping.settings(of: call.signedIn().person))
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
    let kept = try await keeping.change(of: call.signedIn().person, if: call.versionCondition()) {
      var fields = fields
      let settings = fields.settings(over: base($0), faces: fonts.faces)
      try fields.finish()
      return settings
    }
    return response(kept)
  }

  private func response(_ kept: KeptSettings) -> Response {
    var json = JSONWriter()
    SettingsJSON.write(kept.settings, to: &json)
    let body = json.finish()
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(kept.version).\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }
}
