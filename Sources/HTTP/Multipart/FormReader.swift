import Bytes

/// Reads a `multipart/form-data` body by a rule: text into memory, files into spools.
///
/// A field that is too large and a field that the rule does not know are dropped and remembered, so that whoever
/// decodes the form can name every bad field at once. Used by one thread at a time.
package final class FormReader: BodyReader {
  private var parser: MultipartParser
  private var collector: FormCollector

  /// - Parameters:
  ///   - contentType: the request's Content-Type.
  ///   - rule: the fields that the form may have.
  /// - Throws: 415 where the body is not `multipart/form-data`, 400 where it has no good boundary.
  package init(contentType: HeaderValue?, rule: FormRule) throws(Problem) {
    let boundary = try MultipartBoundary(contentType: contentType)
    parser = MultipartParser(boundary: boundary, maximumParts: rule.maximumParts)
    collector = FormCollector(rule: rule)
  }

  /// - Throws: 400 where the body is broken, 507 where there is no room for a file.
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    try parser.push(piece, into: &collector)
  }

  /// - Throws: 400 where the closing boundary is missing.
  package func finish() throws(Problem) -> RequestBody {
    try parser.finish()
    return .form(Form(parts: collector.parts))
  }
}
