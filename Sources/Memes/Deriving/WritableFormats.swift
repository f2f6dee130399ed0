/// The kinds of file that this machine can write.
package protocol WritableFormats: Sendable {
  /// Those that are known from the start.
  var common: [OutputFormat] { get }

  /// All of them. What is not common is tried when this is first called, which takes time and memory for good.
  ///
  /// - Throws: ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func all() async throws(MemeError) -> [OutputFormat]
}
