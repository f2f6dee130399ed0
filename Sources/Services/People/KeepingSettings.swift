package import Memes
package import Storage

/// Reads and changes the settings of users.
package struct KeepingSettings: Sendable {
  private static let attempts = 5

  private let store: SettingsStore

  package init(store: SettingsStore) { self.store = store }

  /// The user's settings. Reads one row on the calling thread.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func settings(of person: UserID) throws -> KeptSettings {
    guard let kept = try store.settings(of: person) else { throw MemeError.unauthorized }
    return kept
  }

  /// The viewer's settings, as defaults for values that a request omits. If the viewer is not signed in, these are the
  /// standard settings, and nothing is read.
  package func settings(of viewer: Principal) throws -> PersonalSettings {
    guard let person = viewer.person else { return PersonalSettings() }
    return try settings(of: person).settings
  }

  /// Changes the settings to the result of `revise`. On return, the change is durable. If the result equals the current
  /// settings, nothing is written.
  ///
  /// - Parameter revise: receives the current settings. Called again if they were changed in the
  ///   meantime. Its errors are rethrown.
  /// - Returns: the current settings.
  /// - Throws: ``MemeError/versionMismatch`` if the settings have another version than the condition
  ///   requires; ``MemeError/unauthorized`` if the account was deleted; ``MemeError/storageBusy`` if other
  ///   requests keep changing the settings.
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
