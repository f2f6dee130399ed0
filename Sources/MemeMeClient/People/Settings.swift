/// What a person has set.
public struct Settings: Sendable, Hashable, Codable {
  public var theme: Theme?
  public var accessibility: Accessibility?
  /// What the person's captions look like where a request does not say.
  public var captions: Captions?
  /// Who may see the person's new memes.
  public var visibility: Meme.Visibility?
  public var notifications: Notifications?

  /// All as it is where nobody chooses.
  public init() {}

  /// The colours of pages.
  public struct Theme: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let light: Self = "light"
    public static let dark: Self = "dark"
    /// As the device has it.
    public static let system: Self = "system"
  }

  /// What makes pages easier to use.
  public struct Accessibility: Sendable, Hashable, Codable {
    /// How large text is, as a multiple, 0.5 to 3.
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

  /// A style of which nothing need be chosen.
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

  /// What the person is told of.
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

/// What is to be set; the rest stays. A group that is set changes what it has, and keeps the rest of the group.
public struct SettingsEdit: Sendable, Hashable, Codable {
  public var theme: Change<Settings.Theme> = .keep
  public var accessibility: Change<Settings.Accessibility> = .keep
  public var captions: Change<Settings.Captions> = .keep
  public var visibility: Change<Meme.Visibility> = .keep
  public var notifications: Change<Settings.Notifications> = .keep

  public init() {}
}
