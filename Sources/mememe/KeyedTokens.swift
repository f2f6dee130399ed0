import Bytes
import Crypto
import Memes
import Storage

/// Tokens made with a key that is kept beside the database and not in it: nothing that is stored can be shown as one.
struct KeyedTokens: TokenKeeper {
  private let key: Authenticator
  /// What the key makes of the admin's token, which is then not needed itself.
  private let adminCode: [UInt8]

  /// Reads `secret-key` and, where no token is given, `admin-token`; makes what is missing.
  ///
  /// - Throws: ``SecretFile/Failure``.
  init(folder: DataFolder, adminToken: String?) throws(SecretFile.Failure) {
    let path = folder.path(of: "secret-key")
    let secret = try SecretFile.key(at: path, bytes: Authenticator.keyBytes)
    guard let key = Authenticator(key: secret) else { throw .malformed(path: path) }
    self.key = key
    let admin =
      if let adminToken { Secret(Array(adminToken.utf8)) } else {
        try SecretFile.token(at: folder.path(of: "admin-token"))
      }
    adminCode = admin.withUnsafeBytes { key.code(for: Array($0)) }
  }

  func deleteToken(for thing: Possession) -> String {
    Base64URL.encode(key.code(for: message(thing)))
  }

  func isDeleteToken(_ token: String, for thing: Possession) -> Bool {
    Base64URL.decode(token).map { key.verifies($0, for: message(thing)) } ?? false
  }

  func isAdminToken(_ token: String) -> Bool {
    // Codes have one length, so the time does not tell the token's.
    constantTimeEqual(key.code(for: Array(token.utf8)), adminCode)
  }

  /// A digest that nobody can make without the key: what it is made of cannot be guessed from it.
  ///
  /// - Parameter purpose: has a key of its own.
  func seal(for purpose: String) -> Digester {
    let code = key.code(for: Array("seal \(purpose)".utf8))
    let own = Authenticator(key: Secret(code)) ?? key
    return { bytes in
      let code = own.code(for: bytes.withUnsafeBytes { Array($0) })
      return Digest { $0.copyBytes(from: code) }
    }
  }

  /// What the key signs says what for, so that a code for one purpose is never good for another.
  private func message(_ thing: Possession) -> [UInt8] {
    switch thing {
    case .meme(let id): Array("delete \(id)".utf8)
    case .template(let id): Array("delete template \(id)".utf8)
    }
  }
}
