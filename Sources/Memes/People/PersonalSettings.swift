/// What a person wants to have as they want it, on every device.
package struct PersonalSettings: Hashable, Sendable {
  package var theme = Theme.system
  package var accessibility = Accessibility()
  package var captions = Captions()
  /// Of new memes.
  package var visibility = Visibility.public
  package var notifications = Notifications()

  package init() {}

  /// The colours of the pages.
  package enum Theme: String, CaseIterable, Sendable {
    case light, dark
    /// As the device has it.
    case system
  }

  /// What makes pages easier to use.
  package struct Accessibility: Hashable, Sendable {
    package static let textScales = 0.5...3.0

    /// How large text is, as a multiple.
    package var textScale = 1.0
    package var reducedMotion = false
    package var highContrast = false

    package init() {}
  }

  /// How captions are drawn where a request does not say; what is `nil` is as where nobody chooses.
  package struct Captions: Hashable, Sendable {
    package var layout: CaptionLayout?
    package var choices = StyleChoices()

    package init() {}

    /// A recipe in which nothing else is chosen.
    package var recipe: Recipe {
      var recipe = Recipe()
      recipe.layout = layout ?? recipe.layout
      recipe.choices = choices
      return recipe
    }
  }

  /// Whether the person is told of these.
  package struct Notifications: Hashable, Sendable {
    package var likes = true
    package var comments = true
    package var follows = true

    package init() {}
  }
}

/// Settings as they are kept.
package struct KeptSettings: Sendable, Equatable {
  package let settings: PersonalSettings
  /// Counts changes; 0 where nothing was ever changed.
  package let version: Int

  package init(settings: PersonalSettings, version: Int) {
    (self.settings, self.version) = (settings, version)
  }
}
