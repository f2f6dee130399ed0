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

extension WritableFormats {
  /// The formats that matter to a request that names one. All formats are tested only if the named one is not common.
  ///
  /// - Parameter format: the requested format as sent; `nil` if the request names none. An unknown name also returns
  ///   all formats, so that the error can list them.
  /// - Throws: the errors of ``all()``.
  package func available(naming format: String?) async throws -> [OutputFormat] {
    guard let format, !common.contains(where: { $0.rawValue == format }) else { return common }
    return try await all()
  }
}
