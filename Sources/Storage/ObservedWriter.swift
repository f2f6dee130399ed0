import Memes
import SQL

/// Runs write transactions, and notifies observers of the changes that users see.
struct ObservedWriter: Sendable {
  private let writer: any Writer
  private let observers: [any ChangeObserver]

  /// - Parameter observers: notified of every change, in this order.
  init(_ database: any Database, observers: [any ChangeObserver]) {
    (writer, self.observers) = (database.writer, observers)
  }

  /// Runs one transaction. Notifies the observers of its changes when they are durable: before this call returns, and
  /// before the next transaction begins.
  ///
  /// - Parameter bytes: the approximate size of the writes, if it is large.
  func write<Value: Sendable>(
    bytes: Int = 0,
    _ body:
      @escaping @Sendable (borrowing Transaction) throws -> Written<Value>
  ) async throws -> Value {
    let announce: @Sendable (Written<Value>) -> Void = { [observers] written in
      for change in written.changes { observers.forEach { $0.changed(change) } }
    }
    return try await writer.transaction(bytes: bytes, whenDurable: announce) { db in
      let written = try body(db)
      try postChanges(written.changes, in: db)
      return written
    }.value
  }
}

extension ObservedWriter {
  /// Runs one transaction without changes for the observers.
  ///
  /// - Parameter bytes: the approximate size of the writes, if it is large.
  @discardableResult
  func transaction<Value: Sendable>(
    bytes: Int = 0, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value { try await writer.transaction(bytes: bytes, body) }
}

/// The result of a transaction, and the changes that users see.
struct Written<Value: Sendable>: Sendable {
  let value: Value
  let changes: [MemeChange]

  init(_ value: Value, _ changes: MemeChange...) { self.init(value, changes: changes) }

  /// - Parameter owner: the author whose memes changed; `nil` if they have none.
  init(_ value: Value, _ changes: MemeChange..., of owner: UserID?) {
    self.init(value, changes: owner.map { changes + [.sequenced(of: $0)] } ?? changes)
  }

  init(_ value: Value, changes: [MemeChange]) { (self.value, self.changes) = (value, changes) }
}
