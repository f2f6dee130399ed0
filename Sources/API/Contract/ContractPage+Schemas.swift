import YAML

extension ContractPage.Writer {
  /// The object schemas that get their own entry. Schemas of plain values are described in place, and schemas that
  /// others include with `allOf` are merged into those.
  var shownSchemas: [YAMLMapping.Pair] {
    let all = pairs(contract["components"]?["schemas"])
    let parts = all.flatMap { $0.value["allOf"]?.sequence ?? [] }.compactMap { $0["$ref"]?.string }
    return all.filter { schema in
      schema.value["type"]?.string == "object" && !parts.contains { $0.hasSuffix("/\(schema.key)") }
    }
  }

  var schemas: HTML {
    let articles = shownSchemas.map { schema -> HTML in
      """
      <article id="schema-\(schema.key)">
      <h3><a href="#schema-\(schema.key)">\(schema.key)</a></h3>
      \(Markdown.blocks(schema.value["description"]?.string ?? ""))\(rows(of: schema.value))</article>

      """
    }
    return "<section>\n<h2 id=\"schemas\">schemas</h2>\n\(articles.joined())</section>\n"
  }

  /// The members of an object. Members of schemas that it includes come first.
  func rows(of schema: YAML) -> HTML {
    let rows = members(of: schema).map { member in
      row(member.name, member.schema, isRequired: member.isRequired)
    }
    return rows.isEmpty ? HTML() : "<dl>\n\(rows.joined())</dl>\n"
  }

  private struct Member {
    let name: String
    let schema: YAML
    let isRequired: Bool
  }

  private func members(of schema: YAML) -> [Member] {
    let required = schema["required"]?.sequence?.compactMap(\.string) ?? []
    let composed = (schema["allOf"]?.sequence ?? []).flatMap { members(of: resolved($0)) }
    return composed
      + pairs(schema["properties"]).map {
        Member(name: $0.key, schema: $0.value, isRequired: required.contains($0.key))
      }
  }

  /// A row for a parameter, header field or member. A nested object lists its own members below.
  func row(
    _ name: String, _ schema: YAML, isRequired: Bool, place: String? = nil,
    description: String? = nil
  ) -> HTML {
    let text =
      description ?? schema["description"]?.string ?? resolved(schema)["description"]?.string
    let notes = [place, isRequired ? nil : "optional"].compactMap { $0 }.joined(separator: ", ")
    return """
      <dt><code>\(name)</code> <span class="type">\(type(of: schema))</span>\
      \(notes.isEmpty ? HTML() : "<span class=\"note\">, \(notes)</span>")</dt>
      <dd>\(Markdown.inline(text ?? ""))\(bounds(of: schema))\
      \(schema["properties"] == nil ? HTML() : "\n\(rows(of: schema))")</dd>

      """
  }

  /// The type as text, for example `array of Fit` or `string or null`.
  func type(of schema: YAML) -> HTML {
    if let name = schema["$ref"]?.string?.split(separator: "/").last.map(String.init) {
      guard shownSchemas.contains(where: { $0.key == name }) else {
        return type(of: resolved(schema))
      }
      return "<a href=\"#schema-\(name)\">\(name)</a>"
    }
    for key in ["anyOf", "oneOf"] {
      if let choices = schema[key]?.sequence { return alternatives(choices.map(type)) }
    }
    if schema["type"]?.string == "array" {
      let items = schema["items"].map(type) ?? HTML()
      return "array of \(items)"
    }
    if let format = schema["format"]?.string { return "\(format)" }
    if schema["contentMediaType"] != nil { return "file" }
    let names = schema["type"]?.sequence?.compactMap(\.string) ?? [schema["type"]?.string ?? "any"]
    return alternatives(names.map { "\($0)" })
  }

  private func alternatives(_ choices: [HTML]) -> HTML {
    choices.enumerated().map { $0.offset == 0 ? $0.element : " or \($0.element)" }.joined()
  }

  /// The constraints of a value as text.
  private func bounds(of schema: YAML) -> HTML {
    let schema = resolved(schema)
    var facts: [HTML] = []
    if let values = schema["enum"]?.sequence {
      facts.append("One of \(list(values)).")
    } else if let value = schema["const"] {
      facts.append("Always \(list([value])).")
    }
    switch (schema["minimum"], schema["maximum"]) {
    case (let low?, let high?):
      facts.append("\(ContractExample.json(low)) to \(ContractExample.json(high)).")
    case (let low?, nil): facts.append("At least \(ContractExample.json(low)).")
    case (nil, let high?): facts.append("At most \(ContractExample.json(high)).")
    default: break
    }
    if let value = schema["default"] {
      facts.append(value.string == "" ? "Empty if left out." : "\(list([value])) if left out.")
    }
    return facts.map { " <span class=\"bound\">\($0)</span>" as HTML }.joined()
  }

  private func list(_ values: [YAML]) -> HTML {
    values.enumerated().map { index, value -> HTML in
      let text = value.string ?? ContractExample.json(value)
      return index == 0 ? "<code>\(text)</code>" : ", <code>\(text)</code>"
    }.joined()
  }
}
