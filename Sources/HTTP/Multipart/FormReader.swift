import Bytes
package final class FormReader: BodyReader {
  package init(contentType: HeaderValue?, rule: FormRule) throws(Problem) {}
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {}
  package func finish() throws(Problem) -> RequestBody { .none }
}
