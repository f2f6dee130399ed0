import Bytes
import HTTP
package import Memes
package import Services

/// Makes the addresses of memes, which are signed if the server requires it.
package struct LinkMaker: Sendable {
  /// The maximum size of the path of an example. A request has room for options and a signature after it.
  private static let mostExampleBytes = RequestTarget.maximumBytes / 2

  let memes: LinkedMemes
  let fonts: InstalledFonts
  let signature: LinkSignature
  let address: PublicAddress
  let emoji: EmojiNames

  package init(
    memes: LinkedMemes, fonts: InstalledFonts, signature: LinkSignature, address: PublicAddress,
    emoji: EmojiNames
  ) {
    (self.memes, self.fonts, self.emoji) = (memes, fonts, emoji)
    (self.signature, self.address) = (signature, address)
  }

  /// - Throws: `unauthorized` if the server requires signatures and the caller has no credentials.
  func checkAccess(_ call: Call) throws(Problem) {
    guard !signature.isRequired || call.viewer.isSignedIn else { throw Problem(.unauthorized) }
  }

  /// The absolute address of a meme.
  ///
  /// - Parameters:
  ///   - name: an alias or an ID of a template.
  ///   - nameField: the field of the request that has the name, for errors; `nil` if it is in the path.
  ///   - ending: `nil` for the format that suits the template.
  ///   - field: the field of the request that has the texts, for errors.
  /// - Throws: ``MemeError/invalid(field:_:)`` if there is no such template, or the texts do not fit;
  ///   ``MemeError/notFound`` or ``MemeError/gone`` for a template in the path.
  func url(
    to name: String, in nameField: String?, _ texts: [String], as ending: MemeLink.Ending?,
    _ options: MemeLinkOptions, field: String
  ) async throws -> String {
    let ground: LinkGround
    do { ground = try await memes.ground(name, options) } catch let error where error.isAbsence {
      guard let nameField else { throw error }
      throw MemeError.unknownTemplate(in: nameField)
    }
    _ = try memes.recipe(with: texts, on: ground, options, field: field)
    let link = link(to: name, texts, as: ending ?? .init(suiting: ground))
    guard link.segments.allSatisfy({ $0.utf8.count <= MemeLink.maximumSegmentBytes }) else {
      throw MemeError.invalid(
        field: field,
        InvalidValue(
          code: "too-long",
          message: "In an address, a text has at most \(MemeLink.maximumSegmentBytes) bytes."))
    }
    let target = target(of: link, LinkForm.query(options))
    guard target.utf8.count <= RequestTarget.maximumBytes else {
      throw MemeError.invalid(
        field: field,
        InvalidValue(
          code: "too-long",
          message: "The address would have more than \(RequestTarget.maximumBytes) bytes."))
    }
    _ = try await memes.pictures(options, on: ground)
    return address.root + target
  }

  func link(to name: String, _ texts: [String], as ending: MemeLink.Ending) -> MemeLink {
    MemeLink(template: name, texts: texts, ending: ending, emoji)
  }

  /// The meme with the example texts of a template. Texts that are too long for an address are cut, and the last ones
  /// are left out if all of them are too long together.
  func example(
    of fields: TemplateFields, at name: String, as ending: MemeLink.Ending
  ) -> MemeLink {
    var texts = fields.boxes.map { cut($0.box.text.text, before: ending) }
    var example = link(to: name, texts, as: ending)
    while example.path.utf8.count > Self.mostExampleBytes, texts.popLast() != nil {
      example = link(to: name, texts, as: ending)
    }
    return example
  }

  /// The beginning of a text that a segment of a path can have, together with the format.
  private func cut(_ text: String, before ending: MemeLink.Ending) -> String {
    let most = MemeLink.maximumSegmentBytes - ending.rawValue.utf8.count - 1
    var bytes = 0
    return String(
      emoji.replacingNames(in: text).prefix { character in
        bytes += LinkText.segment(of: String(character)).utf8.count
        return bytes <= most
      })
  }

  /// - Parameter query: with its question mark, or empty.
  func url(of link: MemeLink, _ query: String = "") -> String {
    address.root + target(of: link, query)
  }

  /// The path and the query of an address.
  func target(of link: MemeLink, _ query: String) -> String {
    let address = link.path + query
    guard signature.isRequired else { return address }
    return "\(address)\(query.isEmpty ? "?" : "&")s=\(signature.signature(of: address))"
  }
}

extension MemeLink {
  /// The path of the address below the server, in its canonical spelling.
  var path: String { "/images/\(segments.map(\.pathEncoded).joined(separator: "/"))" }
}

extension MemeLink.Ending {
  /// A format for a meme on this picture.
  init(suiting ground: LinkGround) {
    self = ground.facts.format == .jpeg ? .jpg : .png
  }
}
