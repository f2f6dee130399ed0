import Bytes
import JSON

/// The parts of a discovery document (OpenID Connect Discovery §3) that the server needs.
struct ProviderMetadata: Sendable {
  let authorizationEndpoint: ProviderURL
  let tokenEndpoint: ProviderURL
  /// `nil` if the provider has none.
  let userInfoEndpoint: ProviderURL?
  /// Whether the token request has the secret in its body, instead of in HTTP Basic.
  let sendsSecretInBody: Bool

  /// - Throws: ``OpenIDError/failed(_:)`` if the document is of another issuer, or lacks something that is required.
  init(_ body: Bytes, of issuer: OpenIDIssuer) throws(OpenIDError) {
    let document = try JSON.object(body, "the discovery document")
    guard document["issuer"] == .text(issuer.text) else {
      throw .failed("the discovery document is of another issuer")
    }
    authorizationEndpoint = try Self.endpoint("authorization_endpoint", document, issuer)
    tokenEndpoint = try Self.endpoint("token_endpoint", document, issuer)
    let name = "userinfo_endpoint"
    userInfoEndpoint = document[name] == nil ? nil : try Self.endpoint(name, document, issuer)
    sendsSecretInBody = try Self.sendsSecretInBody(document)
  }

  private static func endpoint(
    _ name: String, _ document: [String: JSON], _ issuer: OpenIDIssuer
  ) throws(OpenIDError) -> ProviderURL {
    guard case .text(let text) = document[name], let url = ProviderURL(text),
      !url.isPlain || issuer.isPlain
    else { throw .failed("\(name) of the discovery document is no https URL") }
    return url
  }

  /// Without a list, providers take HTTP Basic (OpenID Connect Discovery §3).
  private static func sendsSecretInBody(_ document: [String: JSON]) throws(OpenIDError) -> Bool {
    guard case .array(let methods) = document["token_endpoint_auth_methods_supported"],
      !methods.contains(.text("client_secret_basic"))
    else { return false }
    guard methods.contains(.text("client_secret_post")) else {
      throw .failed("the provider takes neither client_secret_basic nor client_secret_post")
    }
    return true
  }
}
