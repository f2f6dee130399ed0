import Arguments
import Memes

/// The arguments of `mememe export`.
struct ExportOptions {
  static let usage = """
    usage: mememe export FOLDER [--author NAME] [--csv]

    Exports every meme that is not in the trash: the originals to pictures/, the rendered images to memes/, and a list,
    memes.jsonl, that mememe import can read. The server may be running.
      --author NAME  export only the memes of this user
      --csv          write the list as memes.csv
    If you run it again with the same folder, it does not rewrite existing files. Set the data folder with --data or
    MEMEME_DATA. Exits 0 if all memes are exported.
    """

  let folder: String
  let author: Username?
  let isCSV: Bool

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var order = ArgumentParser(words, help: Self.usage)
    let names = order.takeLeading()
    guard let folder = names.first, names.count == 1 else {
      throw UsageError(Self.usage, "specify one folder before the flags")
    }
    (self.folder, author) = (folder, try order.takeUsername(of: "--author"))
    isCSV = order.take("--csv")
    words = order.rest
  }
}
