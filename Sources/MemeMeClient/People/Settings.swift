/// The settings of a user. A setting that is `nil` has its default.
public struct Settings: Sendable, Hashable, Codable {
  public var theme: Theme?
  public var accessibility: Accessibility?
  /// The style of captions for requests that do not specify one.
  public var captions: Captions?
  /// The visibility of new memes.
  public var visibility: Meme.Visibility?
  public var notifications: Notifications?

  /// Creates settings that all have their defaults.
  public init() {}

  /// The color theme.
  public struct Theme: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let light: Self = "light"
    public static let dark: Self = "dark"
    /// The theme of the device.
    public static let system: Self = "system"
  }

  /// Accessibility options.
  public struct Accessibility: Sendable, Hashable, Codable {
    /// The text size as a factor from 0.5 to 3.
    public var textScale: Double?
    public var reducedMotion: Bool?
    public var highContrast: Bool?

    public init(
      textScale: Double? = nil, reducedMotion: Bool? = nil, highContrast: Bool? = nil
    ) {
      self.textScale = textScale
      self.reducedMotion = reducedMotion
      self.highContrast = highContrast
    }
  }

  /// A caption style whose properties are all optional.
  public struct Captions: Sendable, Hashable, Codable {
    public var font: String?
    public var fill: Colour?
    public var outline: Colour?
    public var outlineWidth: Double?
    public var size: Double?
    public var `case`: LetterCase?
    public var align: Alignment?
    public var layout: Layout?

    public init() {}
  }

  /// The events that the user receives notifications about.
  public struct Notifications: Sendable, Hashable, Codable {
    public var likes: Bool?
    public var comments: Bool?
    public var follows: Bool?

    public init(likes: Bool? = nil, comments: Bool? = nil, follows: Bool? = nil) {
      self.likes = likes
      self.comments = comments
      self.follows = follows
    }
  }
}

/// Changes to settings. All other settings keep their values, including those in the same group.
public struct SettingsEdit: Sendable, Hashable, Codable {
  public var theme: Change<Settings.Theme> = .keep
  public var accessibility: Change<Settings.Accessibility> = .keep
  public var captions: Change<Settings.Captions> = .keep
  public var visibility: Change<Meme.Visibility> = .keep
  public var notifications: Change<Settings.Notifications> = .keep

  public init() {}
}
