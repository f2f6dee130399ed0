import API
import Foundation
import Support
import Testing
import YAML

@Suite struct ContractPageTests {
  @Test func `the page shows every operation and links to it from its table of contents`() throws {
    let contract = try Contract.ofThisRepository()
    let page = ContractPage(contract: contract.document).html.text
    #expect(page.hasPrefix("<!doctype html>"))
    for operation in contract.operations {
      let name = try #require(operation.operationID)
      #expect(page.contains("<article id=\"\(name)\">"))
      #expect(page.contains("<li><a href=\"#\(name)\">"))
    }
  }

  @Test func `every internal link resolves, and ids are unique`() throws {
    let page = ContractPage(contract: try Contract.ofThisRepository().document).html.text
    let names = page.matches(of: #/ id="([^"]+)"/#).map { String($0.1) }
    let targets = page.matches(of: ##/ href="#([^"]+)"/##).map { String($0.1) }
    #expect(Set(names).count == names.count)
    #expect(!targets.isEmpty)
    #expect(Set(targets).subtracting(names) == [])
  }

  @Test func `links to other pages are relative, so they work behind a path prefix`() throws {
    let page = ContractPage(contract: try Contract.ofThisRepository().document).html.text
    #expect(page.contains("href=\"openapi.yaml\""))
    #expect(page.contains("href=\"problems/gone\""))
    #expect(!page.contains("href=\"/"))
  }

  @Test func `elements are closed in the right order`() throws {
    let page = ContractPage(contract: try Contract.ofThisRepository().document).html.text
    var open: [Substring] = []
    for tag in page.matches(of: /<(\/?)([a-z][a-z0-9]*)[^>]*>/) {
      guard !["meta", "wbr"].contains(tag.2) else { continue }
      if tag.1.isEmpty {
        open.append(tag.2)
      } else {
        #expect(open.popLast() == tag.2)
      }
    }
    #expect(open == [])
  }

  @Test func `the page runs no script, loads nothing and has only the declared style`() throws {
    let page = ContractPage(contract: try Contract.ofThisRepository().document).html.text
    for forbidden in ["<script", "style=\"", "<link", "<img", "@import", "url(", " onclick"] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    #expect(page.ranges(of: "<style>").count == 1)
    #expect(page.contains("<style>\(ContractPage.stylesheet)</style>"))
  }

  @Test func `text of the contract is escaped everywhere`() throws {
    let attack = #"<b onload='x'>&"</b>"#
    let contract = try YAML(
      parsing: #"""
        info: {title: @, summary: @}
        tags: [{name: @, description: @}]
        paths:
          @ :
            get:
              operationId: @
              tags: [@]
              summary: @
              description: @
              parameters: [{name: @, in: @, schema: {type: @, default: @}}]
              responses:
                '200':
                  description: @
                  headers: {@ : {description: @}}
                  content: {@ : {schema: {type: @}, examples: {@ : {summary: @, value: [@]}}}}
                '400':
                  description: @
                  content:
                    application/problem+json: {schema: {properties: {code: {enum: [@]}}}}
        components: {schemas: {@ : {type: object, properties: {@ : {enum: [@]}}}}}
        """#.replacing("@", with: "'\(attack.replacing("'", with: "''"))'"))
    let page = ContractPage(contract: contract).html.text
    #expect(!page.contains("<b "))
    #expect(!page.contains("onload='"))
    #expect(!page.contains("&amp;\""))
    #expect(page.ranges(of: "&lt;b onload=&#39;x&#39;&gt;&amp;").count > 20)
  }

  @Test func `an empty document still makes a page`() {
    #expect(ContractPage(contract: .null).html.text.contains("<main"))
  }

  @Test func `descriptions support paragraphs, lists, inline code and code blocks`() throws {
    let contract = try YAML(
      parsing: """
        info:
          description: |
            One `a<b` line
            goes on.

            - first
            - second
            ```
            x  <y>
            ```
            A lone ` stays.
        """)
    let page = ContractPage(contract: contract).html.text
    #expect(page.contains("<p>One <code>a&lt;b</code> line goes on.</p>"))
    #expect(page.contains("<ul><li>first</li><li>second</li></ul>"))
    #expect(page.contains("<code>x  &lt;y&gt;</code></pre>"))
    #expect(page.contains("<p>A lone ` stays.</p>"))
  }
}
