import Testing

/// The error for a condition that did not become true.
package struct NeverHappened: Error, CustomStringConvertible {
  package let description: String
}

/// Waits until a condition holds. Records an issue with the name of the condition if it does not hold within a minute.
///
/// Use it for the work of other threads and processes. The result of a test does not depend on how long the work takes.
///
/// - Parameter what: the expected state, as a sentence: "the upload is gone".
package func eventually(
  _ what: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column, _ holds: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  // Most conditions hold soon, and frequent checks would take CPU time from the work.
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
