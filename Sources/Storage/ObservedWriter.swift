import Memes
import SQLite

/// Writes what people see, and tells its observers.
struct ObservedWriter: Sendable {
  private let writer: Writer
  private let observers: [any ChangeObserver]

  /// - Parameter observers: hear of every change, in this order.
  init(_ database: Database, observers: [any ChangeObserver]) {
    (writer, self.observers) = (database.writer, observers)
  }

  /// One transaction. Observers hear of its changes when they are durable, before the caller and before the next transaction.
  ///
  /// - Parameter bytes: about how many it writes, where they are many.
  func write<Value: Sendable>(
    bytes: Int = 0,
    _ body:
      @escaping @Sendable (borrowing Transaction<MemeError>) throws(MemeError) -> Written<Value>
  ) async throws(MemeError) -> Value {
    let announce: @Sendable (Written<Value>) -> Void = { [observers] written in
      for change in written.changes { observers.forEach { $0.changed(change) } }
    }
    return try await writer.transaction(bytes: bytes, whenDurable: announce, body).value
  }
}

extension ObservedWriter {
  /// One transaction that observers need not hear of.
  @discardableResult
  func transaction<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction<MemeError>) throws(MemeError) -> Value
  ) async throws(MemeError) -> Value { try await writer.transaction(body) }
}

/// What came of a transaction, and what it changed for people.
struct Written<Value: Sendable>: Sendable {
  let value: Value
  let changes: [MemeChange]

  init(_ value: Value, _ changes: MemeChange...) { self.init(value, changes: changes) }

  /// - Parameter owner: whose memes they are changes of; `nil` where that is nobody.
  init(_ value: Value, _ changes: MemeChange..., of owner: UserID?) {
    self.init(value, changes: owner.map { changes + [.sequenced(of: $0)] } ?? changes)
  }

  init(_ value: Value, changes: [MemeChange]) { (self.value, self.changes) = (value, changes) }
}
