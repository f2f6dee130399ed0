import Bytes

/// Reads a `multipart/form-data` body by a rule: text into memory, files into spools.
///
/// It drops fields that are too large, repeated or not in the rule, but records them. So the code that decodes the form
/// can report all bad fields at once. Used by one thread at a time.
package final class FormReader: BodyReader {
  private var parser: MultipartParser
  private var collector: FormCollector

  /// - Parameters:
  ///   - contentType: the request's Content-Type.
  ///   - rule: the fields that the form may have.
  /// - Throws: 415 if the body is not `multipart/form-data`, 400 if it has no valid boundary.
  package init(contentType: HeaderValue?, rule: FormRule) throws(Problem) {
    let boundary = try MultipartBoundary(contentType: contentType)
    parser = MultipartParser(boundary: boundary, maximumParts: rule.maximumParts)
    collector = FormCollector(rule: rule)
  }

  /// - Throws: 400 if the body is malformed, 507 if no space is left for a file.
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    try parser.push(piece, into: &collector)
  }

  /// - Throws: 400 if the closing boundary is missing.
  package func finish() throws(Problem) -> RequestBody {
    try parser.finish()
    return .form(Form(parts: collector.parts))
  }
}
