import Eventually
import Foundation
import HTTP
import MemeMeClient
import Memes
import Support
import Testing
import mememe

// Terms and drafts are written as `.init`, because modules of the server have types of the same names.
struct EventConnectionTests {
  /// An address to which no connection can be made.
  private static let closed = "http://127.0.0.1:1/memes"

  private func withConnections(_ body: (TestServer) async throws -> Void) async throws {
    try await withLiveServer(
      {
        $0.connections = .members
        $0.connectionsAllow = [AddressRange("127.0.0.0/8")].compactMap { $0 }
      }, body)
  }

  @Test func `a connection is created, changed, paused, resumed and deleted`() async throws {
    try await withConnections { server in
      let ada = try await server.client(of: "ada")
      let bob = try await server.client(of: "bob")
      let made = try await ada.createConnection("a bot", to: Self.closed)
      let id = made.connection.id
      #expect(made.secret.secret.hasPrefix("whsec_"))
      #expect(!"\(made)".contains(made.secret.secret))
      #expect((made.connection.name, made.connection.owner) == ("a bot", "ada"))
      #expect((made.connection.url, made.connection.kind) == (Self.closed, .webhook))
      #expect((made.connection.scope, made.connection.state) == (.own, .idle))
      #expect(made.connection.mappingsState == .noMappings && made.connection.mappings.isEmpty)
      #expect(try await ada.connections() == [made.connection])
      #expect(try await ada.connection(id) == made.connection)
      #expect(try await bob.connections().isEmpty)
      #expect(await failure { _ = try await bob.connection(id) } == "not-found")

      let edited = try await ada.editConnection(id, name: "two bots")
      #expect((edited.name, edited.url) == ("two bots", Self.closed))
      #expect(try await ada.editConnection(id, url: Self.closed + "/2").url == Self.closed + "/2")
      #expect(try await ada.connection(id).name == "two bots")

      try await ada.addMapping(.init([.memeCreated]), to: id)
      #expect(try await ada.connection(id).state == .running)
      #expect(try await ada.pauseConnection(id).state == .paused)
      #expect(try await ada.connection(id).state == .paused)
      #expect(try await ada.resumeConnection(id).state == .running)
      _ = try await ada.pauseConnection(id)
      #expect(try await ada.restartConnection(id).state == .running)

      let changed = try await ada.changeSecret(of: id)
      #expect(changed.secret.secret.hasPrefix("whsec_") && changed.secret != made.secret)
      #expect(changed.connection.id == id && changed.connection.mappings.count == 1)
      let own = Token("whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
      #expect(try await ada.changeSecret(of: id, to: own).secret == own)
      let second = try await ada.createConnection("second", to: Self.closed, secret: own)
      #expect(second.secret == own)
      #expect(try await ada.connections().map(\.id) == [id, second.connection.id])

      #expect(await failure { try await bob.deleteConnection(id) } == "not-found")
      try await ada.deleteConnection(id)
      #expect(await failure { _ = try await ada.connection(id) } == "not-found")
      #expect(try await ada.connections().map(\.id) == [second.connection.id])
    }
  }

  @Test func `mappings are added, replaced, exported, imported and deleted`() async throws {
    try await withConnections { server in
      let ada = try await server.client(of: "ada")
      let first = try await ada.createConnection("first", to: Self.closed).connection.id
      let second = try await ada.createConnection("second", to: Self.closed).connection.id
      let mapping = try await ada.addMapping(
        .init(
          [.memeCreated, .memeDeleted], filter: .init(visibility: .everyone),
          fields: [.top, .bottom]), to: first)
      #expect((mapping.connection, mapping.state, mapping.format) == (first, .active, .json))
      #expect(mapping.events == [.memeCreated, .memeDeleted] && mapping.fields == [.top, .bottom])
      #expect(mapping.filter.visibility == .everyone && mapping.filter.author == nil)
      #expect(try await ada.mapping(mapping.id) == mapping)
      #expect(try await ada.connection(first).mappings == [mapping])

      let file = try await ada.exportMappings(of: first)
      #expect(file.version == 1 && file.connection?.id == first)
      #expect(file.connection?.scope == .own && file.mappings.map(\.id) == [mapping.id])
      #expect(file.mappings.map(\.terms) == [mapping.terms])
      for _ in 0..<2 {
        let imported = try await ada.importMappings(file, into: second)
        #expect(imported.mappings.map(\.terms) == [mapping.terms])
        #expect(imported.mappings.allSatisfy { $0.id != mapping.id && $0.connection == second })
      }

      let replaced = try await ada.replaceMapping(mapping.id, with: .init([.likeCreated]))
      #expect((replaced.id, replaced.events, replaced.fields) == (mapping.id, [.likeCreated], nil))
      #expect(replaced.filter.visibility == nil)
      #expect(
        await failure { try await ada.reloadMapping(mapping.id) } == "nothing-to-reload")
      let restored = try await ada.importMappings(file, into: first)
      #expect(restored.mappings.map(\.id) == [mapping.id])
      #expect(restored.mappings.map(\.terms) == [mapping.terms])
      #expect(try await ada.reloadMapping(mapping.id).id == mapping.id)

      let slack = try await ada.addMapping(.init([.followCreated], format: .slack), to: second)
      #expect(slack.format == .slack)
      try await ada.deleteMapping(mapping.id)
      #expect(await failure { _ = try await ada.mapping(mapping.id) } == "not-found")
      #expect(try await ada.connection(first).mappings.isEmpty)
      #expect(try await ada.connection(second).mappings.count == 2)
    }
  }

  @Test func `failed deliveries are listed and tried again`() async throws {
    try await withConnections { server in
      let ada = try await server.client(of: "ada")
      let id = try await ada.createConnection("a bot", to: Self.closed).connection.id
      let mapping = try await ada.addMapping(.init([.memeCreated]), to: id)
      #expect(try await ada.deliveries(of: id).items.isEmpty)
      let draft = try Fixture.moving.picture
      let meme = try await ada.publish(.init(.image(draft), top: "x")).meme
      try await eventually("an attempt fails") {
        try await !ada.deliveries(of: id).items.isEmpty
      }
      let delivery = try #require(try await ada.deliveries(of: id, limit: 1).items.first)
      #expect((delivery.type, delivery.mapping) == (.memeCreated, mapping.id))
      #expect((delivery.meme, delivery.outcome, delivery.status) == (meme.id, .failed, nil))
      #expect(delivery.error != nil && delivery.responseHead == nil && delivery.durationMs >= 0)
      #expect(!delivery.eventId.isEmpty)
      #expect(try await ada.retryDelivery(delivery.id).id == id)
      #expect(try await ada.connection(id).delivered == 0)
    }
  }

  @Test func `members have connections only if the operator permits it`() async throws {
    try await withConnections { server in
      let ada = try await server.client(of: "ada")
      #expect(
        await failure { _ = try await ada.createConnection("x", to: "http://10.0.0.1/") }
          == "invalid-input")
    }
    try await withLiveServer({ $0.connections = .off }) { server in
      let ada = try await server.client(of: "ada")
      #expect(
        await failure { _ = try await ada.createConnection("x", to: Self.closed) }
          == "connections-off")
    }
    try await withLiveServer { server in
      let ada = try await server.client(of: "ada")
      #expect(
        await failure { _ = try await ada.createConnection("x", to: Self.closed) } == "forbidden")
    }
  }
}
