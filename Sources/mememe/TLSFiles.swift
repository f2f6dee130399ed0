import Bytes
import Foundation
import HTTPDaemon

/// The files of a certificate and its key. The server reads them once, at the start.
struct TLSFiles {
  let certificate: String
  let key: String

  /// - Returns: `nil` if the settings name no certificate.
  init?(_ settings: Settings) {
    guard let certificate = settings.tlsCertificate, let key = settings.tlsKey else { return nil }
    (self.certificate, self.key) = (certificate, key)
  }

  /// Whether users other than the owner and the group can read the key.
  var keyIsForAll: Bool { FileStatus(of: key)?.isReadableByAll ?? false }

  /// - Throws: ``SettingError`` with the name of the setting and the problem of its file, but nothing of
  ///   the file's contents.
  func identity() throws -> TLSIdentity {
    let certificate = try bytes(of: certificate, for: "MEMEME_TLS_CERT")
    let key = try bytes(of: key, for: "MEMEME_TLS_KEY")
    do throws(TLSIdentityError) {
      return try TLSIdentity(certificate: certificate, key: key)
    } catch {
      switch error {
      case .badCertificate:
        throw SettingError(
          name: "MEMEME_TLS_CERT", reason: "\(self.certificate) contains no PEM certificate")
      case .badKey:
        throw SettingError(
          name: "MEMEME_TLS_KEY",
          reason: "\(self.key) contains no unencrypted PEM private key")
      case .mismatch:
        throw SettingError(
          name: "MEMEME_TLS_KEY",
          reason: "\(self.key) does not match the first certificate in \(self.certificate)")
      }
    }
  }

  private func bytes(of path: String, for setting: String) throws(SettingError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SettingError(name: setting, reason: "cannot read \(path)")
    }
  }
}
