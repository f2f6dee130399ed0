import Crypto

extension Settings {
  /// Reads a secret from the file that a setting names.
  ///
  /// - Parameters:
  ///   - setting: the variable of the setting.
  ///   - read: reads the file with a function of ``SecretFile``.
  /// - Throws: ``SettingError`` if the file cannot be read, or is not valid. Another start would not help, so the
  ///   process exits with the code of an invalid setting, and systemd does not restart it.
  static func reading<Value>(
    _ setting: String, _ read: () throws -> Value
  ) throws(SettingError) -> Value {
    do { return try read() } catch SecretFile.Failure.malformed(let path) {
      // The server makes no other file in its place.
      throw SettingError(
        name: setting, reason: "\(path) must be a file of at most 4096 bytes, and text in UTF-8")
    } catch { throw SettingError(name: setting, reason: "\(error)") }
  }
}
