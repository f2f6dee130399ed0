import Arguments

/// The arguments of `mememe move`.
struct MoveOptions: Sendable {
  static let usage = """
    usage: mememe move --to postgres://… [--objects s3://…]
           mememe move --to-folder DIR

    Copies everything: memes, accounts, sessions, and all that belongs to them. The copy is verified, row by row and
    byte by byte. The source is only read.
      --to postgres://…  copies the data folder to an empty PostgreSQL database. Stop the server first. Set the data
                         folder with --data or MEMEME_DATA
      --objects s3://…   copies the pictures to this object store; the setting MEMEME_OBJECTS is the same
      --to-folder DIR    copies the database of MEMEME_DATABASE to a new data folder. Servers may be running: the copy
                         has the state at the start of the command
    If it is interrupted, run it again. Until it has succeeded, no server starts with the copy.
    Exits 0 if the copy is complete, 1 if not, 2 if nothing was done.
    """

  enum Target: Sendable {
    /// The database in the settings.
    case server
    case folder(String)
  }

  let target: Target

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var order = ArgumentParser(words, help: Self.usage)
    let (address, folder) = (
      try order.takeValue(of: "--to"), try order.takeValue(of: "--to-folder")
    )
    words = order.rest
    switch (address, folder) {
    case (let address?, nil):
      target = .server
      words += ["--database", address]
    case (nil, let folder?): target = .folder(folder)
    default: throw UsageError(Self.usage, "specify either --to or --to-folder")
    }
  }
}
