/// A user's preferences, the same on all devices.
package struct PersonalSettings: Hashable, Sendable {
  package var theme = Theme.system
  package var accessibility = Accessibility()
  package var captions = Captions()
  /// The default visibility of new memes.
  package var visibility = Visibility.public
  package var notifications = Notifications()

  package init() {}

  /// The color theme of the web app.
  package enum Theme: String, CaseIterable, Sendable {
    case light, dark
    /// Follows the device.
    case system
  }

  /// Accessibility options of the web app.
  package struct Accessibility: Hashable, Sendable {
    package static let textScales = 0.5...3.0

    /// The text size as a factor.
    package var textScale = 1.0
    package var reducedMotion = false
    package var highContrast = false

    package init() {}
  }

  /// The default caption style for requests that specify none; `nil` uses the server's default.
  package struct Captions: Hashable, Sendable {
    package var layout: CaptionLayout?
    package var choices = StyleChoices()

    package init() {}

    /// A recipe with these settings and no others.
    package var recipe: Recipe {
      var recipe = Recipe()
      recipe.layout = layout ?? recipe.layout
      recipe.choices = choices
      return recipe
    }
  }

  /// The activity that the user wants notifications for.
  package struct Notifications: Hashable, Sendable {
    package var likes = true
    package var comments = true
    package var follows = true

    package init() {}
  }
}

/// Stored settings.
package struct StoredSettings: Sendable, Equatable {
  package let settings: PersonalSettings
  /// The version. It grows with every change; 0 if the settings were never changed.
  package let version: Int

  package init(settings: PersonalSettings, version: Int) {
    (self.settings, self.version) = (settings, version)
  }
}
