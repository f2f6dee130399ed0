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

  /// Reads `secret-key` and, if no token is given, `admin-token`. Creates the files that are missing.
  ///
  /// - Throws: ``SecretFile/Failure``, ``FileError``.
  init(folder: DataFolder, adminToken: String?) throws {
    let path = folder.path(of: "secret-key")
    let secret = try SecretFile.key(at: path, bytes: Authenticator.keyBytes)
    guard let key = Authenticator(key: secret) else {
      throw SecretFile.Failure.malformed(path: path)
    }
    self.key = key
    let admin =
      if let adminToken { Secret(Array(adminToken.utf8)) } else {
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

  /// The message that the key signs. It names the purpose, so that a code for one purpose never verifies for another.
  private func message(_ thing: ResourceRef) -> [UInt8] {
    switch thing {
    case .meme(let id): Array("delete \(id)".utf8)
    case .template(let id): Array("delete template \(id)".utf8)
    }
  }
}
