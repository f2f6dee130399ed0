import Memes

/// Which way a list goes through the numbers of memes, in the words of SQL.
enum MemeDirection: CaseIterable {
  case newest, oldest

  /// Of `ORDER BY`.
  var order: String { self == .newest ? "DESC" : "ASC" }

  /// How a number compares with the place that the page begins behind.
  var behind: String { self == .newest ? "<" : ">" }

  /// How a number compares with one that is as far or not as far.
  var upTo: String { self == .newest ? ">=" : "<=" }

  /// The aggregate that gives the first of some numbers.
  var first: String { self == .newest ? "max" : "min" }

  /// Behind which all memes are.
  var start: Int64 { self == .newest ? .max : 0 }

  /// Up to which all memes are.
  var end: Int64 { self == .newest ? 0 : .max }
}
