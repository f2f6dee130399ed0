import Arguments
import Memes

extension ArgumentParser {
  /// Removes a flag with a username, such as `--author NAME`, and returns the username.
  mutating func takeUsername(of flag: String) throws(UsageError) -> Username? {
    guard let text = try takeValue(of: flag) else { return nil }
    do throws(InvalidValue) { return try Username(text) } catch {
      throw UsageError(help, "\(text): \(error.message)")
    }
  }
}
