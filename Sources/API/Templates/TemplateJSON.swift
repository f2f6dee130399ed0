import Bytes
import HTTP
import Memes

/// Writes templates as the contract defines them.
struct TemplateJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  func template(_ template: Template) -> Bytes {
    var writer = JSONWriter(capacity: 768)
    write(template, to: &writer)
    return writer.finish()
  }

  func list(_ templates: [Template], nextCursor: String?) -> Bytes {
    var writer = JSONWriter(capacity: 768 * (templates.count + 1))
    writer.object { json in
      json.array("items") { json in
        for template in templates { write(template, to: &json) }
      }
      json.member("nextCursor", nextCursor)
    }
    return writer.finish()
  }

  /// The `Link` header value for the next page.
  func link(to cursor: String, _ limit: PageLimit) -> HeaderValue? {
    HeaderValue("<\(basePath)/templates?limit=\(limit.count)&cursor=\(cursor)>; rel=\"next\"")
  }

  /// The URL of a template.
  func url(of id: TemplateID) -> String { "\(basePath)/templates/\(id)" }

  func write(_ template: Template, to json: inout JSONWriter) {
    let url = url(of: template.id)
    json.object { json in
      json.member("id", template.id.description)
      json.member("name", template.name.text)
      json.member("altText", template.altText.text)
      json.member("createdAt", template.createdAt.description)
      json.object("image") { json in
        write("\(url)/image", template.picture.size, to: &json)
        json.member("bytes", template.picture.byteCount)
        json.member("mediaType", template.picture.format.mediaType)
      }
      json.object("thumbnail") { write("\(url)/thumbnail", template.thumbnail.size, to: &$0) }
    }
  }

  private func write(_ url: String, _ size: PixelSize, to json: inout JSONWriter) {
    json.member("url", url)
    json.member("width", size.width)
    json.member("height", size.height)
  }
}
