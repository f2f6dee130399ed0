package import YAML

/// The API contract as one HTML document for people. It has no scripts and loads no other resources.
///
/// Its only style is ``stylesheet`` in one `<style>` element. The page's `Content-Security-Policy` must allow it.
package struct ContractPage: Sendable {
  package let html: HTML

  /// - Parameter contract: the tree of an OpenAPI 3.1 document. The page omits parts that are missing in it.
  package init(contract: YAML) { html = Writer(contract: contract).page }

  /// Creates the parts of the page from the tree.
  struct Writer {
    let contract: YAML
  }
}

extension ContractPage.Writer {
  var page: HTML {
    let title = contract["info"]?["title"]?.string ?? "API"
    return .page(
      title: "\(title) – the contract",
      body: """
        <a class="skip" href="#main">Skip to the contract</a>
        <header class="top">
        <h1>\(title) <small>\(contract["info"]?["version"]?.string ?? "")</small></h1>
        <p>\(Markdown.inline(contract["info"]?["summary"]?.string ?? ""))</p>
        </header>
        <div class="columns">
        \(contents)<main id="main">
        \(Markdown.blocks(contract["info"]?["description"]?.string ?? ""))
        <p><a href="openapi.yaml">The contract for programs</a></p>
        \(tags.map(section(of:)).joined())\(elsewhere.map(section(on:)).joined())\(schemas)</main>
        </div>
        """)
  }

  /// An operation: its method, path and description.
  struct Operation {
    let method: String
    let path: String
    let node: YAML
    /// The parameters that all operations of the path share.
    let sharedParameters: [YAML]

    var anchor: String { node["operationId"]?.string ?? "\(method)-\(path)" }
    var tag: String? { node["tags"]?[0]?.string }
  }

  var operations: [Operation] {
    pairs(contract["paths"]).flatMap { path in
      pairs(path.value).filter { Self.methods.contains($0.key) }.map { item in
        Operation(
          method: item.key.uppercased(), path: path.key, node: item.value,
          sharedParameters: path.value["parameters"]?.sequence ?? [])
      }
    }
  }

  private static let methods: Set<String> = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  var tags: [YAML] { contract["tags"]?.sequence ?? [] }

  private var contents: HTML {
    let groups = tags.map { tag -> HTML in
      let links = operations(of: tag).map { operation -> HTML in
        """
        <li><a href="#\(operation.anchor)">\(badge(operation)) \(breakable(operation.path))</a></li>

        """
      }
      let name = tag["name"]?.string ?? ""
      return "<li><a href=\"#tag-\(name)\">\(name)</a><ul>\n\(links.joined())</ul></li>\n"
    }
    return """
      <nav aria-label="Contents">
      <ul>
      \(groups.joined())\(elsewhere.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" as HTML }.joined())\
      <li><a href="#schemas">schemas</a><ul class="wide">
      \(shownSchemas.map { "<li><a href=\"#schema-\($0.key)\">\($0.key)</a></li>\n" as HTML }.joined())</ul></li>
      </ul>
      </nav>

      """
  }

  private func section(of tag: YAML) -> HTML {
    let name = tag["name"]?.string ?? ""
    return """
      <section>
      <h2 id="tag-\(name)">\(name)</h2>
      \(Markdown.blocks(tag["description"]?.string ?? ""))\
      \(operations(of: tag).map(article).joined())</section>

      """
  }

  private func operations(of tag: YAML) -> [Operation] {
    operations.filter { $0.tag == tag["name"]?.string }
  }

  /// Responses that belong to no single operation: to `OPTIONS`, and to requests that match no operation.
  private struct Elsewhere {
    let id: String
    let title: String
    let node: YAML
  }

  private var elsewhere: [Elsewhere] {
    [("options", "OPTIONS"), ("any-request", "any request")].compactMap { id, title in
      contract["x-\(id)"].map { Elsewhere(id: id, title: title, node: $0) }
    }
  }

  private func section(on elsewhere: Elsewhere) -> HTML {
    """
    <section>
    <h2 id="\(elsewhere.id)">\(elsewhere.title)</h2>
    \(Markdown.blocks(elsewhere.node["description"]?.string ?? ""))\
    \(successes(elsewhere.node))\(failures(elsewhere.node))</section>

    """
  }

  func badge(_ operation: Operation) -> HTML {
    "<span class=\"method \(operation.method.lowercased())\">\(operation.method)</span>"
  }

  /// A path that narrow screens can wrap before each slash.
  func breakable(_ path: String) -> HTML {
    let steps = path.split(separator: "/").map { "<wbr>/\($0)" as HTML }
    return "<code>\(steps.joined())</code>"
  }

  /// The pairs of a mapping; empty if the node is not a mapping.
  func pairs(_ node: YAML?) -> YAMLMapping { node?.mapping ?? YAMLMapping() }

  /// The node itself, or the node that its `$ref` points to.
  func resolved(_ node: YAML) -> YAML {
    guard let reference = node["$ref"]?.string, reference.hasPrefix("#/") else { return node }
    return reference.dropFirst(2).split(separator: "/").reduce(contract) { found, key in
      found[String(key)] ?? .null
    }
  }
}
