public import Foundation

/// A font for captions.
public struct Font: Sendable, Hashable, Codable, Identifiable {
  /// The ID of the font in a meme's style.
  public var id: String
  /// The requested font family.
  public var family: String
  /// The installed font that is actually used for rendering.
  public var installed: String
  /// Whether the installed font has lower case letters. If not, it draws a to z as capitals or small capitals, or
  /// another font draws them. `nil` from servers that do not report it.
  public var hasLowercase: Bool?
  /// The ISO 15924 codes of the scripts that the installed font covers, such as `Latn` and `Cyrl`. Other fonts draw the
  /// letters of other scripts. `nil` from servers that do not report it.
  public var scripts: [String]?
}

extension MemeMeClient {
  private struct FontList: Decodable {
    let items: [Font]
    let defaults: [String: Style]?
  }

  /// Returns the fonts of the server.
  public func fonts() async throws -> [Font] {
    let list: FontList = try await value(Call(.listFonts))
    return list.items
  }

  /// Returns the style of captions that specify none, for each layout; empty from servers that do not report it.
  public func defaultStyles() async throws -> [Layout: Style] {
    let list: FontList = try await value(Call(.listFonts))
    return Dictionary(
      uniqueKeysWithValues: (list.defaults ?? [:]).map { (Layout(rawValue: $0.key), $0.value) })
  }

  /// Downloads an image of sample text in a font.
  public func fontSample(_ id: String) async throws -> PictureFile {
    try await picture(Call(.getFontSample, id))
  }

  /// Downloads the OpenType file of a font, for apps that render captions while the user types.
  ///
  /// - Throws: A problem with status 404 if the license of the font does not permit its distribution.
  public func fontFile(_ id: String) async throws -> Data {
    var call = Call(.getFontFile, id)
    call.accept = "font/*"
    let answer = try await answer(call)
    guard answer.head["Content-Type"]?.hasPrefix("font/") == true else { throw answer.failure }
    return answer.body
  }
}
