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
  ///
  /// - Parameter filter: the other parameters of the request, each followed by `&`.
  func link(to cursor: String, _ limit: PageLimit, _ filter: String) -> HeaderValue? {
    HeaderValue(
      "<\(basePath)/templates?\(filter)limit=\(limit.count)&cursor=\(cursor)>; rel=\"next\"")
  }

  /// The URL of a template.
  func url(of id: TemplateID) -> String { "\(basePath)/templates/\(id)" }

  func write(_ template: Template, to json: inout JSONWriter) {
    let url = url(of: template.id)
    json.object { json in
      json.member("id", template.id.description)
      write(template.fields, to: &json)
      json.member("createdAt", template.createdAt.description)
      json.object("image") { json in
        write("\(url)/image", template.picture.size, to: &json)
        json.member("bytes", template.picture.byteCount)
        json.member("mediaType", template.picture.format.mediaType)
      }
      json.object("thumbnail") { write("\(url)/thumbnail", template.thumbnail.size, to: &$0) }
    }
  }

  private func write(_ fields: TemplateFields, to json: inout JSONWriter) {
    json.member("name", fields.name.text)
    json.member("altText", fields.altText.text)
    json.array("boxes") { json in
      for box in fields.boxes {
        json.object { json in
          json.member("name", box.name?.text)
          MemeJSON.write(box.box, to: &json)
        }
      }
    }
    json.array("pictures") { json in
      for box in fields.pictures { json.object { MemeJSON.write(box, to: &$0) } }
    }
    json.array("tags") { json in for tag in fields.tags { json.value(tag.text) } }
    json.array("aliases") { json in for alias in fields.aliases { json.value(alias.text) } }
    json.member("source", fields.source?.text)
  }

  private func write(_ url: String, _ size: PixelSize, to json: inout JSONWriter) {
    json.member("url", url)
    json.member("width", size.width)
    json.member("height", size.height)
  }
}
