extension ParsedCommand {
  static let usage = """
    usage: mememe-client <command> [options]

      login [NAME]               sign in; --server URL is required the first time
      logout [--force]           sign out and delete all local data
      post FILE [words]          create a meme from a picture; prints its ID
      edit ID [words]            edit a meme
      delete ID                  delete a meme
      list                       list your memes, newest first
      drafts                     list the changes that the server rejected
      drafts apply N [words]     send a draft again, optionally with other words
      drafts discard N           discard a draft
      sync [--watch]             send queued changes and fetch new ones; --watch syncs until Control-C

    words:
      --top TEXT  --bottom TEXT  captions; a newline starts a new line
      --alt-text TEXT            description for screen readers
      --visibility WHO           public, friends or private

    options:
      --offline                  queue changes without sending them; the next sync sends them
      --json                     print list and drafts as JSON
      --store DIR                local data folder (default: mememe-client in $XDG_DATA_HOME or ~/.local/share)
      --server URL               server (default: the server of the last login)
      --timeout SECONDS          maximum time without a response (default: 60)

    Each change is saved to disk before the command exits, and is sent by this command or the next sync.
    The password comes from MEMEME_PASSWORD or a prompt. Only one command at a time can use a store.

    exit codes:
      0  success
      1  rejected or impossible; changes that the server rejected are saved as drafts
      2  invalid command line
      3  the server is unreachable or busy; changes are saved, and the next sync sends them
      4  sign-in required; changes are saved
      5  another command is using the store
    """
}
