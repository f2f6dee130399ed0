import Bytes
import Crypto
import Memes
import Storage

/// Tokens made with a key that is stored next to the database, not in it. Nothing in the database can be presented
/// as a token.
struct KeyedTokens: TokenKeeper {
  private let key: Authenticator
  /// The authentication code of the admin token. The token itself is not kept.
  private let adminCode: [UInt8]

  /// Reads the key from the file in the settings, or from `secret-key` in the folder; and `admin-token` if the settings
  /// have no token. Creates the files in the folder if they are missing.
  ///
  /// - Throws: ``SettingError`` for the file in the settings; ``SecretFile/Failure``, ``FileError``.
  init(folder: DataFolder, _ settings: Settings) throws {
    let path = settings.secretKeyFile ?? folder.path(of: "secret-key")
    let secret =
      if let file = settings.secretKeyFile {
        try Settings.reading("MEMEME_SECRET_KEY_FILE") {
          try SecretFile.existingKey(at: file, bytes: Authenticator.keyBytes)
        }
      } else { try SecretFile.key(at: path, bytes: Authenticator.keyBytes) }
    guard let key = Authenticator(key: secret) else {
      throw SecretFile.Failure.malformed(path: path)
    }
    self.key = key
    let admin =
      if let token = settings.adminToken { Secret(Array(token.utf8)) } else {
        try SecretFile.token(at: folder.path(of: "admin-token"))
      }
    adminCode = admin.withUnsafeBytes { key.code(for: Array($0)) }
  }

  func deleteToken(for thing: ResourceRef) -> String {
    Base64URL.encode(key.code(for: message(thing)))
  }

  func isDeleteToken(_ token: String, for thing: ResourceRef) -> Bool {
    Base64URL.decode(token).map { key.verifies($0, for: message(thing)) } ?? false
  }

  func isAdminToken(_ token: String) -> Bool {
    // The codes have a fixed length, so timing does not reveal the length of the token.
    constantTimeEqual(key.code(for: Array(token.utf8)), adminCode)
  }

  /// A keyed digest. Without the key, an attacker can neither compute it nor guess the digested bytes from it.
  ///
  /// - Parameter purpose: each purpose has a separate key.
  func seal(for purpose: String) -> Digester {
    let code = key.code(for: Array("seal \(purpose)".utf8))
    let own = Authenticator(key: Secret(code)) ?? key
    return { bytes in
      let code = own.code(for: bytes.withUnsafeBytes { Array($0) })
      return Digest { $0.copyBytes(from: code) }
    }
  }

  /// A key that only this purpose has.
  func key(for purpose: String) -> [UInt8] { key.code(for: Array("key \(purpose)".utf8)) }

  /// Encrypts with a key that only this purpose has.
  func cipher(for purpose: String) -> SecretCipher { key.cipher(for: purpose) }

  /// The same for two servers only if they have the same key. Reveals nothing about it.
  var keyCode: [UInt8] { Self.keyCode(of: key) }

  /// The same for a key that is not used for tokens.
  static func keyCode(of key: Authenticator) -> [UInt8] {
    key.code(for: Array("the key of a database".utf8))
  }

  /// The message that the key signs. It names the purpose, so that a code for one purpose never verifies for another.
  private func message(_ thing: ResourceRef) -> [UInt8] {
    switch thing {
    case .meme(let id): Array("delete \(id)".utf8)
    case .template(let id): Array("delete template \(id)".utf8)
    }
  }
}
