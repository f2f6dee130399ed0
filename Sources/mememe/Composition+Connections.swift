import API
import Crypto
import Memes
import Outgoing
import Services
import Storage

extension SharedParts {
  func connectionRoutes() -> [Route] {
    ConnectionRoutes(
      connections: Connections(
        store: stores.connections, mode: resources.settings.connections,
        destinations: destinations, cipher: connectionCipher, now: services.now),
      store: stores.connections, context: context
    ).routes
  }

  /// Delivers events. It must be started.
  func eventSender() -> EventSender {
    let messages = EventMessages(
      memes: stores.memes, comments: stores.comments, reports: stores.reports, address: address,
      allowsAnonymous: resources.settings.anonymous)
    let client = WebhookClient(destinations)
    return EventSender(
      EventSender.Parts(
        store: EventStore(resources.database.any, as: EventID(Random.uuid())),
        mode: resources.settings.connections, cipher: connectionCipher,
        message: { try await messages.body(of: $0, for: $1) }, post: { await client.post($0) },
        notices: notices, now: services.now, report: resources.log.events))
  }

  private var connectionCipher: SecretCipher { tokens.cipher(for: "connections") }

  private var destinations: Destinations {
    Destinations(allowing: resources.settings.connectionsAllow)
  }
}
