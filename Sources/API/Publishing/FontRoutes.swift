import HTTP
package import Memes

/// The faces that captions can be drawn in.
package struct FontRoutes: Sendable {
  private let fonts: any FontCatalogue
  private let basePath: String

  package init(fonts: any FontCatalogue, basePath: String) {
    (self.fonts, self.basePath) = (fonts, basePath)
  }

  package var routes: [Route] {
    [
      Route(.get, "/fonts", access: .viewer, list),
      Route(.get, "/fonts/{id}/sample", access: .viewer, sample),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var json = JSONWriter()
    json.object { json in
      json.array("items") { json in
        for face in fonts.faces { write(face, to: &json) }
      }
    }
    return Response(.ok, "application/json", json.finish())
  }

  private func write(_ face: FontFace, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", face.id.text)
      json.member("family", face.family)
      json.member("installed", face.installed)
      json.object("sample") { $0.member("url", "\(basePath)/fonts/\(face.id.text)/sample") }
    }
  }

  private func sample(_ call: Call) async throws -> Response {
    let sample = try await fonts.sample(of: FontID(stored: call.parameters["id"] ?? ""))
    var response = Response(.ok, "image/png", sample)
    // Fonts change when somebody installs one and starts the server again.
    response.headers[.cacheControl] = "public, max-age=3600"
    return response
  }
}
