public import Foundation

/// A face that captions can be drawn in.
public struct Font: Sendable, Hashable, Codable, Identifiable {
  /// Names the font in a meme's style.
  public var id: String
  /// The family that is wanted.
  public var family: String
  /// The face that is really installed for it, and drawn.
  public var installed: String
}

extension MemeMeClient {
  /// The fonts that the server has.
  public func fonts() async throws -> [Font] {
    struct List: Decodable { let items: [Font] }
    let list: List = try await value(Call(.listFonts))
    return list.items
  }

  /// A picture of some words in a font.
  public func fontSample(_ id: String) async throws -> PictureFile {
    try await picture(Call(.getFontSample, id))
  }

  /// The file of a font, as OpenType, for apps that draw captions while somebody types.
  ///
  /// - Throws: a problem of status 404 where the font's makers do not let everybody have it.
  public func fontFile(_ id: String) async throws -> Data {
    var call = Call(.getFontFile, id)
    call.accept = "font/*"
    let answer = try await answer(call)
    guard answer.head["Content-Type"]?.hasPrefix("font/") == true else { throw answer.failure }
    return answer.body
  }
}
