import HTTP
import Memes
import Services

/// Writes connections, mappings and deliveries as JSON.
enum ConnectionJSON {
  /// The response to a new connection or a new secret, the only ones with a secret.
  static func response(_ made: NewConnection, _ status: Status) -> Response {
    .uncached(status) { json in
      json.object { json in
        write(made.connection, to: &json)
        json.member("secret", made.secret)
      }
    }
  }

  static func response(_ connection: Connection, _ status: Status = .ok) -> Response {
    .uncached(status) { json in json.object { write(connection, to: &$0) } }
  }

  static func response(_ mapping: Mapping, _ status: Status = .ok) -> Response {
    .uncached(status) { write(mapping, to: &$0) }
  }

  /// All connections of a user.
  static func list(_ connections: [Connection], to json: inout JSONWriter) {
    json.object { json in
      json.array("items") { json in
        for connection in connections { json.object { write(connection, to: &$0) } }
      }
      json.null("nextCursor")
    }
  }

  /// Writes the members of a connection.
  private static func write(_ connection: Connection, to json: inout JSONWriter) {
    json.member("id", connection.id.description)
    json.member("owner", connection.owner.text)
    json.member("name", connection.terms.name.text)
    json.member("kind", "webhook")
    json.member("url", connection.terms.url.text)
    json.member("scope", connection.terms.scope.rawValue)
    let (state, description) = connection.status
    json.member("state", state)
    json.member("stateDescription", description)
    json.member("mappingsState", connection.mappingsState)
    let progress = connection.progress
    json.member("lag", progress.lag)
    json.member("delivered", progress.delivered)
    json.member("failed", progress.failed)
    json.member("lastDelivery", progress.lastDelivery?.description)
    json.member("lastError", progress.lastError)
    json.member("createdAt", connection.createdAt.description)
    json.array("mappings") { json in
      for mapping in connection.mappings { write(mapping, to: &json) }
    }
  }

  /// Writes what an import takes.
  static func export(_ connection: Connection, at time: Timestamp, to json: inout JSONWriter) {
    json.object { json in
      json.member("version", 1)
      json.object("connection") { json in
        json.member("id", connection.id.description)
        json.member("name", connection.terms.name.text)
        json.member("url", connection.terms.url.text)
        json.member("scope", connection.terms.scope.rawValue)
        json.member("exportedAt", time.description)
      }
      json.array("mappings") { json in
        for mapping in connection.mappings {
          json.object { json in
            json.member("id", mapping.id.description)
            write(mapping.terms, to: &json)
          }
        }
      }
    }
  }

  private static func write(_ mapping: Mapping, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", mapping.id.description)
      json.member("connection", mapping.connection.description)
      write(mapping.terms, to: &json)
      json.member("state", mapping.isReloading ? "reloading" : "active")
      json.member(
        "stateDescription",
        mapping.isReloading ? "All matching memes are being sent again." : "Events are recorded.")
      json.member("createdAt", mapping.createdAt.description)
    }
  }

  private static func write(_ terms: Mapping.Terms, to json: inout JSONWriter) {
    json.array("events") { json in
      for event in terms.events.all { json.value(event.rawValue) }
    }
    json.object("filter") { json in
      json.member("author", terms.filter.author?.text)
      json.member("visibility", terms.filter.visibility?.rawValue)
      json.member("tag", terms.filter.tag?.text)
    }
    json.member("format", terms.format.rawValue)
    guard let fields = terms.fields else { return json.null("fields") }
    json.array("fields") { json in
      for name in fields.names { json.value(name) }
    }
  }

  static func write(_ delivery: Delivery, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", delivery.id.description)
      json.member("eventId", delivery.event.text)
      json.member("type", delivery.kind.rawValue)
      json.member("mapping", delivery.mapping.description)
      json.member("meme", delivery.meme?.description)
      json.member("outcome", delivery.outcome.name)
      json.member("status", delivery.attempt.status)
      json.member("error", delivery.attempt.error)
      json.member("responseHead", delivery.attempt.head)
      json.member("durationMs", delivery.attempt.milliseconds)
      json.member("attemptedAt", delivery.attempt.at.description)
    }
  }
}

extension Delivery.Outcome {
  fileprivate var name: String {
    switch self {
    case .delivered: "delivered"
    case .failed: "failed"
    case .givenUp: "givenUp"
    }
  }
}

extension Connection {
  /// The state in the API, and what it means.
  fileprivate var status: (state: String, description: String) {
    switch state {
    case .paused: return ("paused", "Paused. Events are recorded, and kept for 7 days.")
    case .stopped:
      return (
        "stopped",
        "\(progress.lastError ?? "Stopped.") No events are recorded until you restart it."
      )
    case .running where progress.failures > 0:
      return (
        "failing",
        "Failed \(progress.failures == 1 ? "once" : "\(progress.failures) times in a row"). The next attempt is at \(progress.nextAttemptAt)."
      )
    case .running where mappings.isEmpty:
      return ("idle", "Add a mapping, which says what to send.")
    case .running: return ("running", "Events are delivered.")
    }
  }

  fileprivate var mappingsState: String {
    if mappings.isEmpty { return "none" }
    return mappings.contains(where: \.isReloading) ? "reloading" : "active"
  }
}
