import HTTP
package import Memes
package import Services
package import Storage

/// Reads the drafts of new memes from requests.
package struct DraftReader: Sendable {
  private let settings: SettingsStore
  private let fonts: InstalledFonts
  private let formats: any WritableFormats

  /// - Parameter settings: for the fields that a request omits.
  package init(settings: SettingsStore, fonts: InstalledFonts, formats: any WritableFormats) {
    (self.settings, self.fonts, self.formats) = (settings, fonts, formats)
  }

  /// Reads the draft of a request, and the formats that the picture may have.
  func draft(of call: Call) async throws -> (draft: MemeDraft, formats: [OutputFormat]) {
    let fields = try MemeForm.fields(of: call.request.body)
    let formats = try await formats.available(naming: fields.sentText("format"), or: call.accept)
    let draft = try MemeForm.draft(
      from: fields, over: await settings.settings(of: call.viewer), by: call.viewer,
      faces: fonts.faces,
      formats: formats)
    return (draft, formats)
  }
}
