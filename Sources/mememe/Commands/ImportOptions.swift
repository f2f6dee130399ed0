import Memes

/// The arguments of `mememe import`.
struct ImportOptions {
  static let usage = """
    usage: mememe import FOLDER [--list NAME] [--author NAME | --no-authors] [--without-captions] [--dry-run]

    Makes a meme of each row of memes.csv, memes.jsonl or memes.json in the folder. No server may run meanwhile.
      --list NAME         the list in the folder, where it is called otherwise
      --author NAME       all of them become this person's, whatever the rows say
      --no-authors        all of them become nobody's
      --without-captions  without a list: every picture in the folder and in those in it
      --dry-run           check all rows and pictures, and make nothing; beside a running server too
    It may be run again: rows that are there are passed over. Those that cannot be imported are told, and written to
    memes-failed beside the list. --data or MEMEME_DATA names the data folder. Exits 0 where every row is there.
    """

  let folder: String
  /// The name of the list; `nil` for the only list in the folder.
  let list: String?
  let authors: ImportAuthors
  let isWithoutCaptions: Bool
  let isTrial: Bool

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var order = ArgumentParser(words, usage: Self.usage)
    let names = order.takeFirst()
    guard let folder = names.first, names.count == 1 else {
      throw UsageError(Self.usage, "one folder is needed, before all flags")
    }
    (self.folder, list) = (folder, try order.takeValue(of: "--list"))
    let author = try order.takeUsername(of: "--author")
    let isNobodys = order.take("--no-authors")
    isWithoutCaptions = order.take("--without-captions")
    isTrial = order.take("--dry-run")
    guard author == nil || !isNobodys else {
      throw UsageError(Self.usage, "--author and --no-authors exclude each other")
    }
    guard list == nil || !isWithoutCaptions else {
      throw UsageError(Self.usage, "--list and --without-captions exclude each other")
    }
    authors = isNobodys ? .nobody : author.map(ImportAuthors.everyRow) ?? .named
    words = order.rest
  }
}
