import Crypto
import Memes
import OpenID

extension Settings {
  /// Checks that the settings of a provider are complete.
  func checkProvider() throws(SettingError) {
    let required = [
      ("MEMEME_OIDC_CLIENT_ID", oidcClientID != nil),
      ("MEMEME_OIDC_CLIENT_SECRET_FILE", oidcClientSecretFile != nil),
    ]
    let optional = [
      ("MEMEME_OIDC_ADMIN_CLAIM", oidcAdminClaim != nil), ("MEMEME_OIDC_NAME", oidcName != nil),
    ]
    if oidcIssuer != nil {
      for (name, isSet) in required where !isSet {
        throw SettingError(name: name, reason: "is required with MEMEME_OIDC_ISSUER")
      }
    } else {
      for (name, isSet) in required + optional where isSet {
        throw SettingError(name: name, reason: "is only for MEMEME_OIDC_ISSUER")
      }
    }
  }

  /// Reads the secret of the client.
  ///
  /// - Returns: `nil` if there is no provider.
  /// - Throws: ``SettingError``.
  func openIDClient() throws -> OpenIDClient? {
    guard let issuer = oidcIssuer, let id = oidcClientID, let path = oidcClientSecretFile else {
      return nil
    }
    var text = try Settings.reading("MEMEME_OIDC_CLIENT_SECRET_FILE") {
      try SecretFile.existingText(at: path)[...]
    }
    while text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw SettingError(
        name: "MEMEME_OIDC_CLIENT_SECRET_FILE", reason: "must have one line of ASCII characters")
    }
    return OpenIDClient(
      issuer: issuer, id: id, secret: Secret(Array(text.utf8)), scopes: oidcScopes,
      adminClaim: oidcAdminClaim)
  }
}

extension SettingText {
  func issuer() throws(InvalidSetting) -> OpenIDIssuer {
    guard let issuer = OpenIDIssuer(text) else {
      throw InvalidSetting(
        reason: "must be an https URL without query or fragment; http is for this machine only")
    }
    return issuer
  }

  func clientID() throws(InvalidSetting) -> String {
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw InvalidSetting(reason: "must have 1 to 255 ASCII characters") }
    return text
  }

  /// RFC 6749 §3.3.
  func scopes() throws(InvalidSetting) -> String {
    let words = text.split(separator: " ")
    guard text.utf8.count <= 1000, words.contains("openid"),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
    else { throw InvalidSetting(reason: "must be words, separated by spaces, with openid") }
    return words.joined(separator: " ")
  }

  func adminClaim() throws(InvalidSetting) -> AdminClaim {
    guard let claim = AdminClaim(text) else {
      throw InvalidSetting(reason: "must be like groups=meme-admins, or the name of a claim")
    }
    return claim
  }

  func providerName() throws(InvalidSetting) -> String {
    do throws(InvalidValue) { return try DisplayName(text).text } catch {
      throw InvalidSetting(reason: "must have 1 to 50 characters on one line")
    }
  }
}
