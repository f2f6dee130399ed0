import Memes

/// The arguments of `mememe export`.
struct ExportOptions {
  static let usage = """
    usage: mememe export FOLDER [--author NAME] [--csv]

    Writes every meme that is not in the trash into the folder: its original to pictures/, what was drawn of it to memes/, and
    a row of memes.jsonl that mememe import makes it by again. Beside a running server too.
      --author NAME  only this person's
      --csv          the list as memes.csv
    It may be run again, into the same folder: files that are there are not written again. --data or MEMEME_DATA names the
    data folder. Exits 0 where everything is there.
    """

  let folder: String
  let author: Username?
  let isCSV: Bool

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var order = ArgumentParser(words, usage: Self.usage)
    let names = order.takeFirst()
    guard let folder = names.first, names.count == 1 else {
      throw UsageError(Self.usage, "one folder is needed, before all flags")
    }
    (self.folder, author) = (folder, try order.takeUsername(of: "--author"))
    isCSV = order.take("--csv")
    words = order.rest
  }
}
