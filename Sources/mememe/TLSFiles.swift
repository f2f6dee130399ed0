import Bytes
import Foundation
import HTTPDaemon

/// The files that a certificate and its key are read from, once, at the start.
struct TLSFiles {
  let certificate: String
  let key: String

  /// - Returns: `nil` where the settings name none.
  init?(_ settings: Settings) {
    guard let certificate = settings.tlsCertificate, let key = settings.tlsKey else { return nil }
    (self.certificate, self.key) = (certificate, key)
  }

  /// Whether users other than its owner and its group may read the key.
  var keyIsForAll: Bool { FileStatus(of: key)?.isReadableByAll ?? false }

  /// - Throws: the name of the setting at fault, and what is wrong with its file, but nothing of what is in it.
  func identity() throws -> TLSIdentity {
    let certificate = try bytes(of: certificate, for: "MEMEME_TLS_CERT")
    let key = try bytes(of: key, for: "MEMEME_TLS_KEY")
    do throws(TLSIdentityError) {
      return try TLSIdentity(certificate: certificate, key: key)
    } catch {
      switch error {
      case .badCertificate:
        throw SettingError(
          name: "MEMEME_TLS_CERT", reason: "\(self.certificate) has no certificate in PEM")
      case .badKey:
        throw SettingError(
          name: "MEMEME_TLS_KEY",
          reason: "\(self.key) has no private key in PEM that can be read without a password")
      case .mismatch:
        throw SettingError(
          name: "MEMEME_TLS_KEY",
          reason: "\(self.key) is not the key of the first certificate in \(self.certificate)")
      }
    }
  }

  private func bytes(of path: String, for setting: String) throws(SettingError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SettingError(name: setting, reason: "\(path) cannot be read")
    }
  }
}
