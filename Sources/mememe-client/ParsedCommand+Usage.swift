extension ParsedCommand {
  static let usage = """
    usage: mememe-client <command> [options]

      login [NAME]               sign in; the server's address by --server the first time
      logout [--force]           sign out, and take everything off this machine
      post FILE [words]          make a meme of a picture; prints its id
      edit ID [words]            change a meme
      delete ID                  delete a meme
      list                       your memes, newest first
      drafts                     changes that were not taken
      drafts apply N [words]     send one after all, with other words if wanted
      drafts discard N           forget one
      sync [--watch]             send what waits and fetch what changed; with --watch until Control-C

    words:
      --top TEXT  --bottom TEXT  the captions; a newline starts a new line
      --alt-text TEXT            what a screen reader says
      --visibility WHO           public, friends or private

    options:
      --offline                  only keep what post, edit, delete and drafts apply do: the next sync sends it
      --json                     list and drafts for scripts
      --store DIR                where everything is kept (mememe-client in $XDG_DATA_HOME or ~/.local/share)
      --server URL               the server (the one that login was told)
      --timeout SECONDS          how long the server may be silent (60)

    What is posted, edited or deleted is on the disk when the command says so, and is sent by this command or a later one,
    whatever happens in between. The password is asked for, or is MEMEME_PASSWORD. One command at a time uses a store.

    exit codes:
      0  done
      1  refused, or not possible; what the server refused is kept as a draft
      2  the command line is wrong
      3  the server cannot be reached or asked to wait; everything is kept and sent by the next sync
      4  somebody has to sign in; everything is kept
      5  another command uses the store
    """
}
