package import Crypto
package import Memes
package import Outgoing
package import Storage

/// Makes connections and mappings. Secrets are stored encrypted.
package struct Connections: Sendable {
  private let store: ConnectionStore
  private let mode: ConnectionMode
  private let destinations: Destinations
  private let cipher: SecretCipher
  private let now: @Sendable () -> Timestamp

  package init(
    store: ConnectionStore, mode: ConnectionMode, destinations: Destinations, cipher: SecretCipher,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.mode, self.destinations) = (store, mode, destinations)
    (self.cipher, self.now) = (cipher, now)
  }

  /// - Throws: ``MemeError/connectionsOff``; ``MemeError/forbidden`` if the viewer may not have connections.
  package func check(_ viewer: Principal) throws {
    guard mode != .off else { throw MemeError.connectionsOff }
    guard viewer.person != nil, mode.permits(viewer.isAdmin ? .admin : .member) else {
      throw MemeError.forbidden
    }
  }

  /// Makes a connection. On return, it is durable.
  ///
  /// - Parameter secret: `nil` for a random one.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`url`) if the host is an address to which nothing is sent; the errors
  ///   of the store.
  package func make(
    _ terms: Connection.Terms, secret: WebhookSecret?, by viewer: Principal
  ) async throws -> NewConnection {
    try check(terms.url)
    let time = now()
    let id = ConnectionID.version7(at: time, random: Random.uuid())
    let secret = secret ?? .random()
    let connection = try await store.insert(
      id, terms, secret: secret.sealed(with: cipher, for: id), by: viewer, in: mode, at: time)
    return NewConnection(connection: connection, secret: secret.text)
  }

  /// Changes the name, the URL or both.
  ///
  /// - Throws: as ``make(_:secret:by:)``.
  package func change(
    _ id: ConnectionID, name: TokenName?, url: RemoteURL?, by viewer: Principal
  ) async throws -> Connection {
    if let url { try check(url) }
    return try await store.change(id, name: name, url: url, by: viewer)
  }

  /// Replaces the secret. The one before it signs too for a day.
  ///
  /// - Parameter secret: `nil` for a random one.
  package func changeSecret(
    of id: ConnectionID, to secret: WebhookSecret?, by viewer: Principal
  ) async throws -> NewConnection {
    let secret = secret ?? .random()
    let until = Timestamp(
      millisecondsSince1970: now().millisecondsSince1970 + Connection.rotationMilliseconds)
    let connection = try await store.setSecret(
      secret.sealed(with: cipher, for: id), of: id, keepingOldUntil: until, by: viewer)
    return NewConnection(connection: connection, secret: secret.text)
  }

  package func addMapping(
    _ terms: Mapping.Terms, to connection: ConnectionID, by viewer: Principal
  ) async throws -> Mapping {
    let time = now()
    return try await store.addMapping(
      newMappingID(at: time), terms, to: connection, by: viewer, at: time)
  }

  /// Changes and adds mappings, all or none.
  ///
  /// - Parameter mappings: each with the ID of an existing mapping to change, if it has one.
  package func importMappings(
    _ mappings: [(id: MappingID?, terms: Mapping.Terms)], into connection: ConnectionID,
    by viewer: Principal
  ) async throws -> Connection {
    let time = now()
    return try await store.importMappings(
      mappings.map { ($0.id, newMappingID(at: time), $0.terms) }, into: connection, by: viewer,
      at: time)
  }

  private func newMappingID(at time: Timestamp) -> MappingID {
    .version7(at: time, random: Random.uuid())
  }

  private func check(_ url: RemoteURL) throws(MemeError) {
    guard destinations.refuses(host: url.host) else { return }
    throw .invalid(
      field: "url",
      InvalidValue(
        code: "destination-refused",
        message: "This server sends nothing to private and local addresses."))
  }
}

/// A connection and its secret, which is shown once.
package struct NewConnection: Sendable {
  package let connection: Connection
  package let secret: String
}
