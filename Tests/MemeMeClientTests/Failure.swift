import MemeMeClient

/// How a call failed, in a word: the problem's code, or what else it was; `none` where it did not.
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
