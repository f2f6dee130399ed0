/// The picture formats that this machine can write.
package protocol WritableFormats: Sendable {
  /// The formats that are known without a test.
  var common: [OutputFormat] { get }

  /// All formats. The first call tests those that are not in ``common``. That takes time, and memory that
  /// is never freed.
  ///
  /// - Throws: ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func all() async throws -> [OutputFormat]
}
