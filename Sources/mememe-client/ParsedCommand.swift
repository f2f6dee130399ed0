import Arguments
import Foundation
import MemeMeClient

/// A parsed command line.
struct ParsedCommand {
  enum Command {
    case logIn(username: String?)
    case logOut(isForced: Bool)
    case post(file: String, MemeFields)
    case edit(Meme.ID, MemeEdit)
    case delete(Meme.ID)
    case list
    case drafts
    case apply(LibraryDraft.ID, MemeEdit)
    case discard(LibraryDraft.ID)
    case sync(watches: Bool)

    /// Whether the command sends changes to the server, unless the user works offline.
    var syncs: Bool {
      switch self {
      case .post, .edit, .delete, .apply, .sync: true
      case .logIn, .logOut, .list, .drafts, .discard: false
      }
    }
  }

  let errand: Command
  let options: Options

  /// - Returns: `nil` if the user asks for help.
  init?(_ words: [String]) throws(UsageError) {
    var words = ArgumentParser(words, help: UsageError.help)
    if words.take("--help") || words.rest == ["help"] { return nil }
    options = try Options(taking: &words)
    errand = try Self.errand(&words)
    if let flag = words.rest.first {
      throw UsageError("unexpected argument: \(flag)")
    }
  }

  private static func errand(_ words: inout ArgumentParser) throws(UsageError) -> Command {
    guard let command = words.takeFirst() else { throw UsageError("no command given") }
    switch command {
    case "login": return .logIn(username: words.takeFirst())
    case "logout": return .logOut(isForced: words.take("--force"))
    case "post":
      let fields = try fields(&words)
      return .post(file: try words.takeRequired("picture file"), fields)
    case "edit":
      let edit = try edit(&words)
      guard edit != MemeEdit() else { throw UsageError("no changes given") }
      return .edit(try meme(&words), edit)
    case "delete": return .delete(try meme(&words))
    case "list": return .list
    case "drafts": return try drafts(&words)
    case "sync": return .sync(watches: words.take("--watch"))
    default: throw UsageError("unknown command: \(command)")
    }
  }

  private static func drafts(_ words: inout ArgumentParser) throws(UsageError) -> Command {
    let edit = try edit(&words)
    guard let word = words.takeFirst() else {
      guard edit == MemeEdit() else { throw UsageError("drafts: specify apply or discard") }
      return .drafts
    }
    let text = try words.takeRequired("draft number")
    guard let number = LibraryDraft.ID(text) else {
      throw UsageError("\(text) is not a draft number")
    }
    switch word {
    case "apply": return .apply(number, edit)
    case "discard" where edit == MemeEdit(): return .discard(number)
    default: throw UsageError("\(word): specify drafts apply or drafts discard")
    }
  }

  private static func meme(_ words: inout ArgumentParser) throws(UsageError) -> Meme.ID {
    let text = try words.takeRequired("meme ID")
    guard let id = Meme.ID(text) else { throw UsageError("\(text) is not a meme ID") }
    return id
  }

  private static func fields(_ words: inout ArgumentParser) throws(UsageError) -> MemeFields {
    var fields = MemeFields(
      top: try words.takeValue(of: "--top"), bottom: try words.takeValue(of: "--bottom"))
    fields.altText = try words.takeValue(of: "--alt-text")
    fields.visibility = try words.takeValue(of: "--visibility").map(Meme.Visibility.init(rawValue:))
    return fields
  }

  private static func edit(_ words: inout ArgumentParser) throws(UsageError) -> MemeEdit {
    let fields = try fields(&words)
    var edit = MemeEdit(top: fields.top, bottom: fields.bottom)
    if let altText = fields.altText { edit.altText = .set(altText) }
    if let visibility = fields.visibility { edit.visibility = .set(visibility) }
    return edit
  }
}

extension UsageError {
  /// The text that follows every reason.
  fileprivate static let help = "Try: mememe-client --help"

  init(_ reason: String) { self.init(Self.help, reason) }
}
