package import Bytes
import HTTP
package import Memes

/// The file `template.json` in the folder of a template: the JSON of the API, of which only `name` is required.
package struct TemplateFile: Sendable {
  /// The maximum size of the file, in bytes.
  package static let maximumBytes = TemplateForm.maximumBytes

  /// `nil` if the file has none, because a person wrote it.
  package let id: TemplateID?
  package let fields: TemplateFields

  /// Members of the API's JSON that say nothing about a copy.
  private static let ignored: Set<String> = ["createdAt", "image", "thumbnail"]

  /// - Parameter faces: the font faces that boxes can use.
  /// - Throws: all errors in the file.
  package init(_ text: Bytes, faces: [FontFace]) throws(RowFault) {
    do throws(Problem) {
      var fields = try FieldDecoder(
        body: text, known: TemplateForm.members.union(Self.ignored).union(["id"]))
      fields.require(["name"])
      id = fields.text("id") { text in try uuid(TemplateID(text)) }
      self.fields = fields.template(
        over: TemplateFields(name: TemplateName(stored: "")), faces: faces)
      try fields.finish()
    } catch { throw RowFault(error) }
  }

  /// The file of a template.
  package static func text(of template: Template) -> Bytes {
    TemplateJSON(basePath: "").template(template)
  }
}
