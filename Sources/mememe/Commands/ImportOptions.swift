import Arguments
import Memes

/// The arguments of `mememe import`.
struct ImportOptions {
  static let usage = """
    usage: mememe import FOLDER [--list NAME] [--author NAME | --no-authors] [--without-captions] [--dry-run]

    Imports each row of memes.csv, memes.jsonl or memes.json in the folder as a meme. Stop the server first.
      --list NAME         the name of the list in the folder, if it is different
      --author NAME       assign all memes to this user, whatever the rows say
      --no-authors        import all memes without an author
      --without-captions  import every picture in the folder and its subfolders, without a list
      --dry-run           check all rows and pictures without importing; the server may be running
    If you run it again, it skips rows that are already imported. It reports rows that fail, and writes them to
    memes-failed next to the list. Set the data folder with --data or MEMEME_DATA. Exits 0 if all rows are imported.
    """

  let folder: String
  /// The name of the list; `nil` for the only list in the folder.
  let list: String?
  let authors: ImportAuthors
  let isWithoutCaptions: Bool
  let isTrial: Bool

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var order = ArgumentParser(words, help: Self.usage)
    let names = order.takeLeading()
    guard let folder = names.first, names.count == 1 else {
      throw UsageError(Self.usage, "specify one folder before the flags")
    }
    (self.folder, list) = (folder, try order.takeValue(of: "--list"))
    let author = try order.takeUsername(of: "--author")
    let isAnonymous = order.take("--no-authors")
    isWithoutCaptions = order.take("--without-captions")
    isTrial = order.take("--dry-run")
    guard author == nil || !isAnonymous else {
      throw UsageError(Self.usage, "--author and --no-authors are mutually exclusive")
    }
    guard list == nil || !isWithoutCaptions else {
      throw UsageError(Self.usage, "--list and --without-captions are mutually exclusive")
    }
    authors = isAnonymous ? .anonymous : author.map(ImportAuthors.everyRow) ?? .named
    words = order.rest
  }
}
