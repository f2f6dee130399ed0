import Testing

/// What a test waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
  package let description: String
}

/// Waits until a condition holds, and fails by its name if it does not within a minute.
///
/// For what another thread or process does in its own time. A test that passes does not depend on how long that is.
///
/// - Parameter what: what is waited for, as a sentence: "the upload is gone".
package func eventually(
  _ what: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column, _ holds: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  // Most things happen soon, and to look often takes time from what is waited for.
  var pause = Duration.milliseconds(1)
  while try await !holds() {
    guard ContinuousClock.now < deadline else {
      let location = SourceLocation(
        fileID: fileID, filePath: filePath, line: line, column: column)
      Issue.record("never happened: \(what)", sourceLocation: location)
      throw NeverHappened(description: what)
    }
    try await Task.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(50))
  }
}
