import Foundation
import Memes

/// The viewers for whom a statement has the same text.
enum ViewerKind: CaseIterable {
  case anonymous, person, admin

  /// For every kind of caller, at least one.
  var principals: [Principal] {
    switch self {
    case .anonymous:
      [
        .anonymous, .deleteTokenHolder(of: .meme(MemeID(UUID()))),
        .deleteTokenHolder(of: .template(TemplateID(UUID()))),
      ]
    case .person: [.person(UserID(UUID())), .person(UserID(UUID()))]
    case .admin: [.admin, .administrator(UserID(UUID()))]
    }
  }
}
