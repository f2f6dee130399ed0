import Memes

/// What `mememe export` is told to do.
struct ExportOrder {
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

  /// Reads the order, and takes its words away: what is left are flags of settings.
  init(taking words: inout [String]) throws(InvalidOrder) {
    var order = OrderWords(words, usage: Self.usage)
    let names = order.takeFirst()
    guard let folder = names.first, names.count == 1 else {
      throw InvalidOrder(Self.usage, "one folder is needed, before all flags")
    }
    (self.folder, author) = (folder, try order.takeUsername(of: "--author"))
    isCSV = order.take("--csv")
    words = order.rest
  }
}
