package import Testing
package import Wire

/// The response of a server, with the expectations of a test.
package struct Answer: Sendable {
  package let response: WireResponse

  package init(_ response: WireResponse) { self.response = response }

  package var status: Int { response.status }

  /// The body as JSON, or `null` if it is not JSON.
  package var json: JSON { (try? JSON(parsing: response.body)) ?? .null }

  package subscript(_ header: String) -> String? { response[header] }

  /// Expects this status and, for a problem, its code and the fields that it names.
  ///
  /// - Parameter lacking: texts that must not occur anywhere in the response.
  @discardableResult
  package func expect(
    _ status: Int, problem: String? = nil, fields: [String]? = nil, lacking: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Answer {
    #expect(self.status == status, "\(response.text.prefix(500))", sourceLocation: sourceLocation)
    if let problem {
      #expect(self["content-type"] == "application/problem+json", sourceLocation: sourceLocation)
      #expect(json.code.text == problem, sourceLocation: sourceLocation)
      #expect(json.instance.text == self["x-request-id"], sourceLocation: sourceLocation)
    }
    if let fields {
      let named = json.errors.elements.map { "\($0.field.text ?? "") \($0.code.text ?? "")" }
      #expect(named.sorted() == fields.sorted(), sourceLocation: sourceLocation)
    }
    for text in lacking {
      #expect(!response.text.contains(text), sourceLocation: sourceLocation)
    }
    return self
  }
}
