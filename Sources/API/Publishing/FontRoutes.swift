import Bytes
import HTTP
import Memes
package import Services

/// The font faces that captions can use.
package struct FontRoutes: Sendable {
  private let fonts: InstalledFonts
  private let context: APIContext

  package init(fonts: InstalledFonts, context: APIContext) {
    (self.fonts, self.context) = (fonts, context)
  }

  package var routes: [Route] {
    [
      Route(.get, "/fonts", access: .viewer, list),
      Route(.get, "/fonts/{id}/sample", access: .viewer, sample),
      Route(.get, "/fonts/{id}/file", access: .viewer, file),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var json = JSONWriter()
    json.object { json in
      json.array("items") { json in
        for face in fonts.faces { write(face, to: &json) }
      }
      json.object("defaults") { json in
        json.object("overlay") { MemeJSON.write(.standard(for: .overlay), .overlay, to: &$0) }
        json.object("bar") { MemeJSON.write(.standard(for: .bar), .bar, to: &$0) }
      }
    }
    return Response(.ok, "application/json", json.finish())
      .with(.cacheControl, "private, no-cache")
  }

  private func write(_ face: FontFace, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", face.id.text)
      json.member("family", face.family)
      json.member("installed", face.installed)
      json.member("hasLowercase", face.hasLowercase)
      json.array("scripts") { json in
        for script in face.scripts { json.value(script) }
      }
      json.object("sample") {
        $0.member("url", "\(context.basePath)/fonts/\(face.id.text)/sample")
      }
      json.object("fitting") { json in
        json.member("scale", face.fitting.scale)
        json.member("fatten", face.fitting.fatten)
        json.member("letterSpacing", face.fitting.letterSpacing)
        json.member("wordSpacing", face.fitting.wordSpacing)
        json.member("stretch", face.fitting.stretch)
      }
      if face.hasFile {
        json.object("file") {
          $0.member("url", "\(context.basePath)/fonts/\(face.id.text)/file")
        }
      } else {
        json.null("file")
      }
    }
  }

  private func sample(_ call: Call) async throws -> Response {
    let sample = try await fonts.sample(of: FontID(stored: call.parameters["id"] ?? ""))
    // Fonts change only when the operator installs one and restarts the server.
    return Response(.ok, "image/png", sample).with(.cacheControl, "public, max-age=3600")
  }

  private func file(_ call: Call) async throws -> Response {
    let file = try await fonts.file(of: FontID(stored: call.parameters["id"] ?? ""))
    return Response(.ok, Self.mediaType(of: file), file)
      .with(.cacheControl, "public, max-age=86400")
  }

  /// Determined by the first four bytes (OpenType 1.9, "Organization of an OpenType Font"; RFC 8081 §4.4).
  private static func mediaType(of file: Bytes) -> HeaderValue {
    file.withUnsafeBytes { $0.starts(with: "OTTO".utf8) } ? "font/otf" : "font/ttf"
  }
}
