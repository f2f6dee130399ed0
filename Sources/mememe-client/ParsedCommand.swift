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
  }

  let errand: Command
  let options: Options

  /// An invalid command line.
  struct Invalid: Error { let reason: String }

  /// - Returns: `nil` if the user asks for help.
  init?(_ words: [String]) throws(Invalid) {
    var words = ArgumentParser(words)
    if words.take("--help") || words.left == ["help"] { return nil }
    options = try Options(taking: &words)
    errand = try Self.errand(&words)
    if let flag = words.left.first {
      throw Invalid(reason: "\(flag) is not known here, or is one too many")
    }
  }

  private static func errand(_ words: inout ArgumentParser) throws(Invalid) -> Command {
    guard let command = words.takeFirst() else { throw Invalid(reason: "no command was given") }
    switch command {
    case "login": return .logIn(username: words.takeFirst())
    case "logout": return .logOut(isForced: words.take("--force"))
    case "post":
      let fields = try fields(&words)
      return .post(file: try words.needFirst("the picture's file"), fields)
    case "edit":
      let edit = try edit(&words)
      guard edit != MemeEdit() else { throw Invalid(reason: "nothing is to be changed") }
      return .edit(try meme(&words), edit)
    case "delete": return .delete(try meme(&words))
    case "list": return .list
    case "drafts": return try drafts(&words)
    case "sync": return .sync(watches: words.take("--watch"))
    default: throw Invalid(reason: "there is no command \(command)")
    }
  }

  private static func drafts(_ words: inout ArgumentParser) throws(Invalid) -> Command {
    let edit = try edit(&words)
    guard let word = words.takeFirst() else {
      guard edit == MemeEdit() else { throw Invalid(reason: "drafts: apply or discard is missing") }
      return .drafts
    }
    let text = try words.needFirst("the draft's number")
    guard let number = LibraryDraft.ID(text) else {
      throw Invalid(reason: "\(text) is no number of a draft")
    }
    switch word {
    case "apply": return .apply(number, edit)
    case "discard" where edit == MemeEdit(): return .discard(number)
    default: throw Invalid(reason: "\(word): drafts are applied or discarded")
    }
  }

  private static func meme(_ words: inout ArgumentParser) throws(Invalid) -> Meme.ID {
    let text = try words.needFirst("the meme's id")
    guard let id = Meme.ID(text) else { throw Invalid(reason: "\(text) is no id of a meme") }
    return id
  }

  private static func fields(_ words: inout ArgumentParser) throws(Invalid) -> MemeFields {
    var fields = MemeFields(
      top: try words.takeValue(of: "--top"), bottom: try words.takeValue(of: "--bottom"))
    fields.altText = try words.takeValue(of: "--alt-text")
    fields.visibility = try words.takeValue(of: "--visibility").map(Meme.Visibility.init(rawValue:))
    return fields
  }

  private static func edit(_ words: inout ArgumentParser) throws(Invalid) -> MemeEdit {
    let fields = try fields(&words)
    var edit = MemeEdit(top: fields.top, bottom: fields.bottom)
    if let altText = fields.altText { edit.altText = .set(altText) }
    if let visibility = fields.visibility { edit.visibility = .set(visibility) }
    return edit
  }
}
