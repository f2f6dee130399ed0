// Every call throws a problem with the code `connectionsOff` if the server has no connections, `forbidden` if the
// caller may not have any, and `notFound` for connections and mappings of others.

extension MemeMeClient {
  /// Creates a connection, to which the server posts events as soon as it has mappings:
  ///
  ///     let made = try await client.createConnection("my bot", to: "https://bot.example.org/memes")
  ///     try await client.addMapping(Mapping.Terms([.memeCreated]), to: made.connection.id)
  ///
  /// - Parameters:
  ///   - url: The address that receives events. The server refuses private and local addresses unless its operator
  ///     permits them.
  ///   - scope: `nil` is ``ConnectionScope/own``. Only admins can choose another one.
  ///   - secret: The key of the signatures: `whsec_` and 24 to 64 bytes in Base64. If `nil`, the server makes one.
  /// - Returns: The connection with its secret. If the response is lost, delete the connection and create another one.
  /// - Throws: A problem with the code `tooManyConnections`, or `invalidInput` with every invalid field.
  public func createConnection(
    _ name: String, to url: String, scope: ConnectionScope? = nil, secret: Token? = nil
  ) async throws -> NewConnection {
    struct Terms: Encodable {
      let name: String
      let url: String
      let scope: ConnectionScope?
      let secret: Token?
    }
    return try await value(
      Call(.createConnection).with(json: Terms(name: name, url: url, scope: scope, secret: secret)))
  }

  /// Returns the connections of the signed-in user, oldest first. For an admin, also those of other admins with the
  /// scope ``ConnectionScope/all``.
  public func connections() async throws -> [Connection] {
    let page: Page<Connection> = try await value(Call(.listConnections))
    return page.items
  }

  public func connection(_ id: Connection.ID) async throws -> Connection {
    try await value(Call(.getConnection, "\(id)"))
  }

  /// Changes the name or the URL of a connection. Waiting events go to the new URL.
  ///
  /// - Parameters:
  ///   - name: `nil` keeps the name.
  ///   - url: `nil` keeps the URL.
  /// - Throws: A problem with the code `invalidInput` with every invalid field.
  public func editConnection(
    _ id: Connection.ID, name: String? = nil, url: String? = nil
  ) async throws -> Connection {
    let fields = ["name": name, "url": url].compactMapValues(\.self)
    return try await value(Call(.updateConnection, "\(id)").with(json: fields))
  }

  /// Deletes a connection with its mappings, its waiting events and its deliveries.
  public func deleteConnection(_ id: Connection.ID) async throws {
    try await perform(Call(.deleteConnection, "\(id)"))
  }

  /// Changes the secret of a connection. For 24 hours, deliveries are also signed with the one before.
  ///
  /// - Parameter secret: `whsec_` and 24 to 64 bytes in Base64. If `nil`, the server makes one.
  /// - Returns: The connection with the new secret. If the response is lost, change the secret again. Deliveries may
  ///   then no longer be signed with the secret that the receiver has.
  /// - Throws: A problem with the code `invalidInput`.
  public func changeSecret(
    of id: Connection.ID, to secret: Token? = nil
  ) async throws -> NewConnection {
    let fields = ["secret": secret].compactMapValues(\.self)
    return try await value(Call(.changeConnectionSecret, "\(id)").with(json: fields))
  }

  /// Pauses a connection. A delivery in progress is finished, then none begins. Events are still recorded.
  ///
  /// - Throws: A problem with the code `connectionStopped`.
  public func pauseConnection(_ id: Connection.ID) async throws -> Connection {
    try await value(Call(.pauseConnection, "\(id)"))
  }

  /// Continues a paused connection with the first event that was not delivered.
  ///
  /// - Throws: A problem with the code `connectionStopped`.
  public func resumeConnection(_ id: Connection.ID) async throws -> Connection {
    try await value(Call(.resumeConnection, "\(id)"))
  }

  /// Forgets the failures of a connection and tries again now. This also starts a stopped or paused connection.
  ///
  /// While a connection is stopped, the server records no events for it. ``reloadMapping(_:)`` sends the memes again.
  public func restartConnection(_ id: Connection.ID) async throws -> Connection {
    try await value(Call(.restartConnection, "\(id)"))
  }

  /// Returns the mappings of a connection, for ``importMappings(_:into:)``.
  public func exportMappings(of id: Connection.ID) async throws -> MappingFile {
    try await value(Call(.exportConnection, "\(id)"))
  }

  /// Changes the mappings of a connection whose IDs are in the file, and adds the other ones of the file, unless the
  /// connection has one with the same terms. Mappings that are not in the file stay. Imports all or none.
  ///
  /// - Throws: A problem with the code `tooManyMappings`, or `invalidInput` with every invalid field.
  public func importMappings(
    _ file: MappingFile, into id: Connection.ID
  ) async throws -> Connection {
    try await value(Call(.importConnection, "\(id)").with(json: file))
  }
}

// Mappings and deliveries.
extension MemeMeClient {
  /// Adds a mapping to a connection. From now on, the server records and delivers its events.
  ///
  /// - Returns: The mapping. If the response is lost, look for the mapping with ``connection(_:)``.
  /// - Throws: A problem with the code `tooManyMappings`, or `invalidInput` with every invalid field.
  @discardableResult
  public func addMapping(
    _ terms: Mapping.Terms, to connection: Connection.ID
  ) async throws -> Mapping {
    try await value(Call(.createMapping, "\(connection)").with(json: terms))
  }

  public func mapping(_ id: Mapping.ID) async throws -> Mapping {
    try await value(Call(.getMapping, "\(id)"))
  }

  /// Replaces all terms of a mapping. Events that already wait are delivered in the new form, except those of types
  /// that it no longer has.
  ///
  /// - Throws: A problem with the code `invalidInput` with every invalid field.
  public func replaceMapping(
    _ id: Mapping.ID, with terms: Mapping.Terms
  ) async throws -> Mapping {
    try await value(Call(.replaceMapping, "\(id)").with(json: terms))
  }

  /// Deletes a mapping. Its waiting events are not delivered.
  public func deleteMapping(_ id: Mapping.ID) async throws {
    try await perform(Call(.deleteMapping, "\(id)"))
  }

  /// Sends an event ``EventType/memeCreated`` for each meme that matches now, oldest first. The server records the
  /// events in the background. A second call in the meantime begins again.
  ///
  /// - Throws: A problem with the code `nothingToReload` if the mapping does not have this event, or
  ///   `connectionStopped`.
  @discardableResult
  public func reloadMapping(_ id: Mapping.ID) async throws -> Mapping {
    try await value(Call(.reloadMapping, "\(id)"))
  }

  /// Returns the last 500 attempts of a connection to deliver an event, newest first.
  public func deliveries(
    of id: Connection.ID, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Delivery> {
    try await list(Call(.listDeliveries, "\(id)"), limit, cursor)
  }

  /// Delivers an event again, with the same `webhook-id` and the present state of its meme, after the events that wait.
  ///
  /// - Throws: A problem with the code `connectionStopped`.
  @discardableResult
  public func retryDelivery(_ id: Delivery.ID) async throws -> Connection {
    try await value(Call(.retryDelivery, "\(id)"))
  }
}
