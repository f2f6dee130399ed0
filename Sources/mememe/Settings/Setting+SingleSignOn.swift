import OpenID

extension Setting {
  /// The settings of an OpenID Connect provider.
  static let singleSignOn: [Setting] = [
    .custom(
      "OIDC_ISSUER", \.oidcIssuer, standard: .described("none"), values: "an https URL",
      """
      The OpenID Connect provider with which users can sign in, exactly as its discovery document names it. An http URL \
      is allowed for this machine.
      """
    ) { try $0.issuer() },
    .custom(
      "OIDC_CLIENT_ID", \.oidcClientID, standard: .described("none"), values: "a name",
      """
      The name of this server at the provider. Register the public URL and `/oidc/callback` as the redirect URI. \
      Required with `MEMEME_OIDC_ISSUER`.
      """
    ) { try $0.clientID() },
    .custom(
      "OIDC_CLIENT_SECRET_FILE", \.oidcClientSecretFile, standard: .described("none"),
      values: "a path",
      """
      A file with the secret of the client, readable only by its owner. Required with `MEMEME_OIDC_ISSUER`.
      """
    ) { try $0.path() },
    .custom(
      "OIDC_SCOPES", \.oidcScopes, standard: .value(Settings().oidcScopes),
      values: "words, separated by spaces, with `openid` among them",
      "What the server asks the provider for. Some providers send groups only with a scope of their own."
    ) { try $0.scopes() },
    .custom(
      "OIDC_ADMIN_CLAIM", \.oidcAdminClaim, standard: .described("none"),
      values: "`claim=value`, or a claim that is `true`",
      """
      The claim that makes a user an admin, such as `groups=meme-admins`: a text, or an array of texts. Each single \
      sign-on gives or takes the role, except from the last admin. Without this setting, admins give the role.
      """
    ) { try $0.adminClaim() },
    .custom(
      "OIDC_NAME", \.oidcName, standard: .described("the host of the issuer"),
      values: "1 to 50 characters",
      "The name of the provider on the button of the web app."
    ) { try $0.providerName() },
  ]
}
