import Foundation
import Memes
import SQL
import Testing

@testable import Storage

/// Writes about connections. Ada's has one mapping and waiting events. Bob can make one more connection, and his first
/// one can get one more mapping.
extension InterleavedWrite {
  static let connect = InterleavedWrite("connect") { database, scene in
    try await scene.connect(scene.bob, in: database)
  }

  static let addMapping = InterleavedWrite("add a mapping") { database, scene in
    try await InterleavedScene.map(scene.fullConnection, of: scene.bob, in: database)
  }

  static let importMappings = InterleavedWrite("import a mapping") { database, scene in
    let terms = try InterleavedScene.terms([.userCreated, .followCreated])
    _ = try? await ConnectionStore(database).importMappings(
      [(nil, MappingID(UUID()), terms)], into: scene.fullConnection, by: .person(scene.bob.id),
      at: time)
    _ = try await ConnectionStore(database).importMappings(
      [(nil, MappingID(UUID()), try InterleavedScene.terms([.likeCreated]))],
      into: scene.fullConnection, by: .person(scene.bob.id), at: time)
  }

  static let replaceMapping = InterleavedWrite("replace a mapping") { database, scene in
    _ = try await ConnectionStore(database).replaceMapping(
      scene.mapping, with: try InterleavedScene.terms([.memeDeleted]), by: .person(scene.ada.id))
  }

  static let deleteMapping = InterleavedWrite("delete a mapping") { database, scene in
    try await ConnectionStore(database).deleteMapping(scene.mapping, by: .person(scene.ada.id))
  }

  static let reload = InterleavedWrite("reload") { database, scene in
    _ = try await ConnectionStore(database).reload(scene.mapping, by: .person(scene.ada.id))
  }

  static let disconnect = InterleavedWrite("disconnect") { database, scene in
    try await ConnectionStore(database).delete(scene.connection, by: .person(scene.ada.id))
  }

  static let pause = InterleavedWrite("pause") { database, scene in
    _ = try await ConnectionStore(database).pause(scene.connection, by: .person(scene.ada.id))
  }

  static let restart = InterleavedWrite("restart") { database, scene in
    _ = try await ConnectionStore(database).restart(scene.connection, by: .person(scene.ada.id))
  }

  /// Delivers the first event, as one of two servers.
  static let deliver = InterleavedWrite("deliver") { database, scene in
    let events = EventStore(database, as: EventID(UUID()))
    let due = try await events.due(at: time)
    guard let connection = due.first(where: { $0.id == scene.connection }),
      try await events.take(connection, at: time),
      let event = try await events.next(of: connection, at: time).first
    else { throw MemeError.notFound }
    let result = EventStore.Result(
      event, DeliveryID(UUID()), .delivered,
      Delivery.Attempt(status: 200, head: "", error: nil, milliseconds: 1, at: time))
    // What was delivered is recorded, even if the connection was paused in the meantime.
    _ = try await events.record([result], of: connection, at: time)
  }

  /// Gives up all events, which happened long ago.
  static let purgeEvents = InterleavedWrite("purge events") { database, _ in
    let later = Timestamp(millisecondsSince1970: .max)
    _ = try await EventStore(database, as: EventID(UUID())).purgeEvents(
      at: later, .standard)
  }

  static let stop = InterleavedWrite("stop") { database, scene in
    let events = EventStore(database, as: EventID(UUID()))
    guard
      let connection = try await events.due(at: time).first(where: { $0.id == scene.connection }),
      try await events.take(connection, at: time),
      try await events.stop(connection, because: "gone")
    else { throw MemeError.notFound }
  }
}

extension InterleavedScene {
  static func terms(_ kinds: Set<EventKind>) throws -> Mapping.Terms {
    Mapping.Terms(
      events: try #require(EventKinds(kinds)), filter: .init(author: nil, visibility: nil),
      format: .json, fields: nil)
  }

  @discardableResult
  func connect(_ person: Author, in database: any Database) async throws -> ConnectionID {
    try await Self.connect(person, in: database)
  }

  static func connect(
    _ person: Author, in database: any Database
  ) async throws -> ConnectionID {
    let id = ConnectionID(UUID())
    _ = try await ConnectionStore(database).insert(
      id,
      Connection.Terms(
        name: TokenName(stored: "x"), url: RemoteURL(stored: "https://a.example"), scope: .own),
      secret: [1], by: .person(person.id), in: .members,
      at: Timestamp(millisecondsSince1970: 5))
    return id
  }

  static func map(
    _ connection: ConnectionID, of person: Author, _ kinds: Set<EventKind> = [.followCreated],
    in database: any Database
  ) async throws {
    _ = try await ConnectionStore(database).addMapping(
      MappingID(UUID()), terms(kinds), to: connection, by: .person(person.id),
      at: Timestamp(millisecondsSince1970: 5))
  }
}
