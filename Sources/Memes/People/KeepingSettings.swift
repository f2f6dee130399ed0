/// Keeps people's settings, and knows what those of whoever asks are.
package struct KeepingSettings: Sendable {
  private static let attempts = 5

  private let store: any SettingsStore

  package init(store: any SettingsStore) { self.store = store }

  /// The person's settings, read on the calling thread by one look at their row.
  ///
  /// - Throws: ``MemeError/unauthorized`` where they left meanwhile.
  package func settings(of person: UserID) throws(MemeError) -> KeptSettings {
    guard let kept = try store.settings(of: person) else { throw .unauthorized }
    return kept
  }

  /// What is to be filled in where a request leaves it out. For who is not signed in nothing is read.
  package func settings(of viewer: Viewer) throws(MemeError) -> PersonalSettings {
    guard let person = viewer.person else { return PersonalSettings() }
    return try settings(of: person).settings
  }

  /// Makes the settings what `revise` says. When this returns, that is durable. A change of nothing makes no version.
  ///
  /// - Parameter revise: is called with the settings as they are, again where they were changed meanwhile; what it throws is
  ///   thrown.
  /// - Returns: the settings as they are now.
  /// - Throws: ``MemeError/versionMismatch`` where they are at a version that is not meant; ``MemeError/unauthorized``
  ///   where the person left meanwhile.
  package func change(
    of person: UserID, if condition: VersionCondition,
    _ revise: (PersonalSettings) throws -> PersonalSettings
  ) async throws -> KeptSettings {
    for _ in 1...Self.attempts {
      let before = try settings(of: person)
      guard condition.allows(before.version) else { throw MemeError.versionMismatch }
      let revised = try revise(before.settings)
      guard revised != before.settings else { return before }
      if let version = try await store.keep(revised, of: person, insteadOf: before.version) {
        return KeptSettings(settings: revised, version: version)
      }
    }
    throw MemeError.storageBusy
  }
}

/// What ``KeepingSettings`` needs of a store.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SettingsStore: Sendable {
  /// Reads the settings on the calling thread: those of nobody's choice where none are kept; `nil` where there is no such
  /// person.
  func settings(of person: UserID) throws(MemeError) -> KeptSettings?

  /// Keeps the next version. When this returns it survives a crash of the machine.
  ///
  /// - Returns: the version that they have now; `nil` if they were not at `version`, and then nothing was done.
  func keep(
    _ settings: PersonalSettings, of person: UserID, insteadOf version: Int
  ) async throws(MemeError) -> Int?
}
