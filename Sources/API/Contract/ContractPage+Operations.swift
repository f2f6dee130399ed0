import YAML

extension ContractPage.Writer {
  func article(_ operation: Operation) -> HTML {
    """
    <article id="\(operation.anchor)">
    <h3><a href="#\(operation.anchor)">\(badge(operation)) \(breakable(operation.path))</a></h3>
    <p class="summary">\(Markdown.inline(operation.node["summary"]?.string ?? ""))</p>
    \(Markdown.blocks(operation.node["description"]?.string ?? ""))\
    \(token(operation))\(parameters(operation))\(body(operation))\
    <h4>Answers</h4>
    \(successes(operation.node))\(failures(operation.node))</article>

    """
  }

  private func token(_ operation: Operation) -> HTML {
    guard let ways = operation.node["security"]?.sequence else { return HTML() }
    let isOptional = ways.contains { $0.mapping?.isEmpty == true }
    return isOptional
      ? "<p class=\"note\">A bearer token is optional; a wrong one is refused.</p>\n"
      : "<p class=\"note\">Needs a bearer token.</p>\n"
  }

  private func parameters(_ operation: Operation) -> HTML {
    let parameters =
      (operation.sharedParameters + (operation.node["parameters"]?.sequence ?? [])).map(resolved)
    guard !parameters.isEmpty else { return HTML() }
    let rows = parameters.map { parameter in
      row(
        parameter["name"]?.string ?? "", parameter["schema"] ?? .null,
        isRequired: parameter["required"]?.bool == true,
        place: parameter["in"]?.string.map { "in the \($0)" },
        description: parameter["description"]?.string)
    }
    return "<h4>Parameters</h4>\n<dl>\n\(rows.joined())</dl>\n"
  }

  private func body(_ operation: Operation) -> HTML {
    guard let body = operation.node["requestBody"].map(resolved) else { return HTML() }
    let contents = pairs(body["content"]).map { media -> HTML in
      let schema = resolved(media.value["schema"] ?? .null)
      return "<p>As <code>\(media.key)</code>:</p>\n\(rows(of: schema))"
    }
    return """
      <h4>Body</h4>
      \(Markdown.blocks(body["description"]?.string ?? ""))\(contents.joined())
      """
  }

  /// The successful responses, with their headers, media types and examples.
  func successes(_ node: YAML) -> HTML {
    pairs(node["responses"]).filter { !Self.isFailure($0.key) }.map { answer -> HTML in
      let response = resolved(answer.value)
      let content = pairs(response["content"])
      let kinds = content.map { media -> HTML in
        guard let schema = media.value["schema"] else {
          return "<li><code>\(media.key)</code></li>"
        }
        return "<li><code>\(media.key)</code>: \(type(of: schema))</li>"
      }
      return """
        <div class="answer">
        <p><strong class="status">\(answer.key)</strong> \
        \(Markdown.inline(response["description"]?.string ?? ""))</p>
        \(kinds.isEmpty ? HTML() : "<ul>\(kinds.joined())</ul>\n")\(headers(response))\
        \(content.map { examples($0.value) }.joined())</div>

        """
    }.joined()
  }

  private func headers(_ response: YAML) -> HTML {
    // Every response has the request ID, so the page describes it only once.
    let headers = pairs(response["headers"]).filter { $0.key != "X-Request-Id" }
    guard !headers.isEmpty else { return HTML() }
    let rows = headers.map { header -> HTML in
      let node = resolved(header.value)
      return """
        <dt><code>\(header.key)</code></dt>
        <dd>\(Markdown.inline(node["description"]?.string ?? ""))</dd>

        """
    }
    return "<dl>\n\(rows.joined())</dl>\n"
  }

  private func examples(_ media: YAML) -> HTML {
    pairs(media["examples"]).map { example -> HTML in
      let node = resolved(example.value)
      let summary = node["summary"]?.string ?? "An example"
      return """
        <details>
        <summary>Example: \(Markdown.inline(summary))</summary>
        <pre><code>\(ContractExample.json(node["value"] ?? .null))</code></pre>
        </details>

        """
    }.joined()
  }

  /// The error responses: status, problem codes and conditions.
  func failures(_ node: YAML) -> HTML {
    let failures = pairs(node["responses"]).filter { Self.isFailure($0.key) }
    guard !failures.isEmpty else { return HTML() }
    let rows = failures.map { answer -> HTML in
      let response = resolved(answer.value)
      let schema = resolved(response["content"]?["application/problem+json"]?["schema"] ?? .null)
      let links = codes(of: schema).map { " <a href=\"problems/\($0)\">\($0)</a>" as HTML }
      return """
        <dt><strong class="status">\(answer.key)</strong>\(links.joined())</dt>
        <dd>\(Markdown.inline(response["description"]?.string ?? ""))</dd>

        """
    }
    return """
      <details>
      <summary>Failures: \(failures.map(\.key).joined(separator: ", "))</summary>
      <dl>
      \(rows.joined())</dl>
      </details>

      """
  }

  private static func isFailure(_ status: String) -> Bool {
    !status.hasPrefix("2") && !status.hasPrefix("3")
  }

  /// The problem codes that a schema names.
  private func codes(of schema: YAML) -> [String] {
    let code = schema["properties"]?["code"]
    let named = code?["enum"]?.sequence?.compactMap(\.string) ?? [code?["const"]?.string]
    let parts = ["allOf", "anyOf"].flatMap { schema[$0]?.sequence ?? [] }
    return named.compactMap { $0 } + parts.flatMap { codes(of: resolved($0)) }
  }
}
