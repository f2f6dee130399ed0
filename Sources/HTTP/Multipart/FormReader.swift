import Bytes
package final class FormReader: BodyReader {
  package init(_ rule: FormRule, contentType: HeaderValue?) throws(Problem) {}
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {}
  package func finish() throws(Problem) -> RequestBody { .none }
}
