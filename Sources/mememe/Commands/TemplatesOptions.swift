import Arguments

/// The arguments of `mememe templates`.
enum TemplatesOptions {
  case `import`(folder: String)
  case export(folder: String)

  static let usage = """
    usage: mememe templates import FOLDER
           mememe templates export FOLDER

    import adds a template for each subfolder with template.json and a picture named image, or with config.yml and a
    picture named default, as memegen has them. The templates belong to the server and count in no quota. If you run it
    again, it skips templates that are already imported or were deleted since.
    export writes such a subfolder for each template of the server and of all users, replaces what is there, and removes
    the templates of an earlier export that were deleted since.
    The server may be running. Set the data folder with --data or MEMEME_DATA. Exits 0 if no template failed.
    """

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var flags = ArgumentParser(words, help: Self.usage)
    let order = flags.takeLeading()
    switch (order.first, order.count) {
    case ("import", 2): self = .import(folder: order[1])
    case ("export", 2): self = .export(folder: order[1])
    default: throw UsageError(Self.usage, "specify import or export, and one folder")
    }
    words = flags.rest
  }
}
