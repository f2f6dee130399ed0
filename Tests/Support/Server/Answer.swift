package import Testing
package import Wire

/// A server's answer, and what a test expects of it.
package struct Answer: Sendable {
  package let response: WireResponse

  package init(_ response: WireResponse) { self.response = response }

  package var status: Int { response.status }

  /// The body as JSON; `null` where it is not JSON.
  package var json: JSON { (try? JSON(parsing: response.body)) ?? .null }

  package subscript(_ header: String) -> String? { response[header] }

  /// Expects this status, and of a problem its code and the fields it names.
  ///
  /// - Parameter lacking: what must not stand anywhere in the answer.
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
