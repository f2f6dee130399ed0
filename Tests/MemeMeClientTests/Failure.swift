import MemeMeClient

/// A short description of how a call failed: the problem's code or the kind of error, or `none` if it succeeded.
func failure(_ body: () async throws -> Void) async -> String {
  do { try await body() } catch let error as MemeMeError {
    switch error {
    case .problem(let problem): return problem.code.rawValue
    case .connection: return "connection"
    case .timeout: return "timeout"
    case .unexpectedAnswer(let status, _, _): return "unexpected \(status)"
    case .answerTooLarge: return "too large"
    case .unreadableFile: return "unreadable file"
    }
  } catch is CancellationError {
    return "cancelled"
  } catch {
    return "\(error)"
  }
  return "none"
}
