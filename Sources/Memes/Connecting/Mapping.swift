package import Foundation

/// The ID of a mapping.
package struct MappingID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// Which events a connection receives, of which memes, and in which form.
package struct Mapping: Sendable, Equatable {
  /// The maximum number of mappings of a connection.
  package static let maximumCount = 20

  package let id: MappingID
  package let connection: ConnectionID
  package let terms: Terms
  /// Whether all matching memes are being sent again.
  package let isReloading: Bool
  package let createdAt: Timestamp

  package init(
    id: MappingID, of connection: ConnectionID, _ terms: Terms, isReloading: Bool,
    createdAt: Timestamp
  ) {
    (self.id, self.connection, self.terms) = (id, connection, terms)
    (self.isReloading, self.createdAt) = (isReloading, createdAt)
  }

  /// What the owner decides.
  package struct Terms: Sendable, Equatable {
    package let events: EventKinds
    package let filter: Filter
    package let format: MessageFormat
    /// The parts of a meme to send; `nil` for all.
    package let fields: MemeFields?

    package init(
      events: EventKinds, filter: Filter, format: MessageFormat, fields: MemeFields?
    ) {
      (self.events, self.filter, self.format, self.fields) = (events, filter, format, fields)
    }

    /// Checks the terms against the scope of the connection.
    ///
    /// - Returns: the first field that the scope does not permit; `nil` if all are permitted.
    package func fault(in scope: Connection.Scope) -> (field: String, InvalidValue)? {
      func refusal(_ field: String, _ needed: Connection.Scope) -> (String, InvalidValue) {
        (
          field,
          InvalidValue(
            code: "not-allowed", message: "Needs a connection with the scope \(needed.rawValue).")
        )
      }
      switch scope {
      case .own where events.all.contains { $0.isForAdmins }: return refusal("events", .all)
      case .own where filter.author != nil: return refusal("filter.author", .all)
      case .all where filter.visibility != nil: return refusal("filter.visibility", .own)
      default: return nil
      }
    }
  }

  /// Which memes. The events of their comments and likes are filtered too.
  package struct Filter: Sendable, Equatable {
    /// `nil` for any.
    package let author: Username?
    /// `nil` for any.
    package let visibility: Visibility?
    /// `nil` for any, also for none.
    package let tag: Tag?

    package init(author: Username? = nil, visibility: Visibility? = nil, tag: Tag? = nil) {
      (self.author, self.visibility, self.tag) = (author, visibility, tag)
    }
  }
}

/// What happened. The raw value is its name in the API.
package enum EventKind: String, CaseIterable, Sendable {
  // The order is that of the stored numbers.
  case memeCreated = "meme.created"
  case memeUpdated = "meme.updated"
  case memeDeleted = "meme.deleted"
  case commentCreated = "comment.created"
  case likeCreated = "like.created"
  case followCreated = "follow.created"
  case reportCreated = "report.created"
  case userCreated = "user.created"

  /// Whether only admins can receive it.
  var isForAdmins: Bool { self == .reportCreated || self == .userCreated }

  /// Whether it is about a meme.
  package var isOfMeme: Bool {
    switch self {
    case .memeCreated, .memeUpdated, .memeDeleted, .commentCreated, .likeCreated: true
    case .followCreated, .reportCreated, .userCreated: false
    }
  }
}

/// At least one kind of event.
package struct EventKinds: Sendable, Equatable {
  /// In the order of the cases, without repetitions.
  package let all: [EventKind]

  /// - Returns: `nil` if there are none.
  package init?(_ kinds: Set<EventKind>) {
    guard !kinds.isEmpty else { return nil }
    all = EventKind.allCases.filter(kinds.contains)
  }
}

/// How an event is written.
package enum MessageFormat: String, CaseIterable, Sendable {
  case json
  /// A message for an incoming webhook of Slack.
  case slack
  /// A message for a webhook of Discord.
  case discord
}

/// Parts of a meme in JSON. Its ID, version and times are always there.
package struct MemeFields: OptionSet, Sendable {
  /// The names in the API, in the order of the bits.
  package static let names = [
    "author", "visibility", "top", "bottom", "captions", "style", "crop", "altText", "image",
    "original", "thumbnails", "fit", "counts", "tags", "remixOf", "pictures",
  ]

  package static let author = Self(rawValue: 1 << 0)
  package static let visibility = Self(rawValue: 1 << 1)
  package static let top = Self(rawValue: 1 << 2)
  package static let bottom = Self(rawValue: 1 << 3)
  package static let captions = Self(rawValue: 1 << 4)
  package static let style = Self(rawValue: 1 << 5)
  package static let crop = Self(rawValue: 1 << 6)
  package static let altText = Self(rawValue: 1 << 7)
  package static let image = Self(rawValue: 1 << 8)
  package static let original = Self(rawValue: 1 << 9)
  package static let thumbnails = Self(rawValue: 1 << 10)
  package static let fit = Self(rawValue: 1 << 11)
  package static let counts = Self(rawValue: 1 << 12)
  package static let tags = Self(rawValue: 1 << 13)
  package static let remixOf = Self(rawValue: 1 << 14)
  package static let pictures = Self(rawValue: 1 << 15)
  package static let all = Self(rawValue: 1 << 16 - 1)
  /// What the viewer may do with the meme. It has no name, because receivers have no use for it.
  package static let viewer = Self(rawValue: 1 << 16)

  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// - Returns: `nil` if a name is unknown.
  package init?(names: [String]) {
    var fields: MemeFields = []
    for name in names {
      guard let bit = Self.names.firstIndex(of: name) else { return nil }
      fields.insert(MemeFields(rawValue: 1 << bit))
    }
    self = fields
  }

  /// The names in the API.
  package var names: [String] {
    Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
  }
}
