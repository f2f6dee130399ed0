import HTTP
import Memes
import Services
package import Storage

/// The JSON calls of memegen, so that its clients work with another base URL.
package struct MemegenRoutes: Sendable {
  /// The list has no pages in memegen. It considers this many pages of templates, of which a filter may leave few.
  private static let mostPages = 10
  private static let members: Set<String> = [
    "template_id", "text", "text_lines", "style", "layout", "font", "extension", "redirect",
    "background",
  ]

  private let maker: LinkMaker
  private let templates: TemplateStore
  private let context: APIContext
  private let body: Route.Body

  package init(maker: LinkMaker, templates: TemplateStore, context: APIContext) {
    (self.maker, self.templates, self.context) = (maker, templates, context)
    body = .json(maximumBytes: LinkForm.maximumBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memegen/templates", access: .viewer, limit: .search,
        query: ["filter", "animated"], list),
      Route(.get, "/memegen/templates/{template}", access: .viewer, detail),
      Route(.get, "/memegen/fonts", access: .viewer, faces),
      Route(.post, "/memegen/images", access: .viewer, limit: .change, body: body, make),
      Route(
        .post, "/memegen/templates/{template}", access: .viewer, limit: .change, body: body, make),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let words = query.sentText("filter") == "" ? nil : query.text("filter", TemplateQuery.init(_:))
    let isAnimated = query.truth("animated")
    try query.finish()
    var found: [Template] = []
    var position: ListPosition?
    for _ in 1...Self.mostPages {
      var listing = TemplateListing(after: position, limit: 100)
      listing.query = words
      let page = try await templates.templates(listing)
      found += page.items.filter { isAnimated == nil || $0.isAnimated == isAnimated }
      position = page.next
      if position == nil { break }
    }
    return .uncached { json in
      json.array { json in
        for template in found { write(template, to: &json) }
      }
    }
  }

  private func detail(_ call: Call) async throws -> Response {
    guard let reference = TemplateReference(call.parameters["template"] ?? "") else {
      throw Problem(.notFound)
    }
    let template = try await templates.template(reference)
    return .uncached { write(template, to: &$0) }
  }

  private func faces(_ call: Call) -> Response {
    .uncached { json in
      json.array { json in
        for face in maker.fonts.faces {
          json.object { json in
            json.member("id", face.id.text)
            json.member("alias", face.id.text)
            json.member("filename", face.installed)
            json.member("_self", "\(maker.address.root)/memegen/fonts")
          }
        }
      }
    }
  }

  private func make(_ call: Call) async throws -> Response {
    try maker.checkAccess(call)
    var fields = try FieldDecoder(people: call.request.body, known: Self.members)
    let named = call.parameters["template"]
    if named == nil { fields.require(["template_id"]) }
    let sent = fields.text("template_id") { (text) in text }
    let field = fields.has("text_lines") ? "text_lines" : "text"
    if field == "text_lines", fields.has("text") {
      fields.reject("text", code: "not-together", "Cannot be combined with text_lines.")
    }
    let texts = fields.texts(field) { (texts: [String]) throws(InvalidValue) in texts } ?? []
    let options = fields.linkOptions(faces: maker.fonts.faces)
    let ending = fields.word("extension", MemeLink.Ending.self)
    let redirects = fields.flag("redirect") ?? false
    try fields.finish()
    let url = try await maker.url(
      to: named ?? sent ?? "", in: named == nil ? "template_id" : nil, texts, as: ending, options,
      field: field)
    return Response.uncached(redirects ? .found : .created) { json in
      json.object { $0.member("url", url) }
    }.with(.location, HeaderValue(url))
  }

  private func write(_ template: Template, to json: inout JSONWriter) {
    let (fields, ending) = (template.fields, MemeLink.Ending(suiting: LinkGround(template)))
    let name = fields.aliases.first?.text ?? template.id.description
    let examples = fields.boxes.map(\.box.text.text)
    json.object { json in
      json.member("id", name)
      json.member("name", fields.name.text)
      json.member("lines", fields.boxes.isEmpty ? 2 : fields.boxes.count)
      json.member("overlays", fields.pictures.count)
      json.array("styles") { _ in }
      json.member("blank", maker.url(of: maker.link(to: name, [], as: ending)))
      json.object("example") { json in
        json.array("text") { json in for text in examples { json.value(text) } }
        json.member("url", maker.url(of: maker.example(of: fields, at: name, as: ending)))
      }
      json.member("source", fields.source?.text)
      json.array("keywords") { json in for tag in fields.tags { json.value(tag.text) } }
      json.member("_self", "\(maker.address.root)/memegen/templates/\(name)")
    }
  }
}

extension Template {
  /// Whether the picture may move.
  fileprivate var isAnimated: Bool { picture.format == .gif }
}
