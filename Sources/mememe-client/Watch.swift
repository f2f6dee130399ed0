import Foundation
import MemeMeClient

/// The command `sync --watch`: syncs until the user ends it, and reports what happens.
struct Watch {
  private let library: MemeLibrary

  init(_ library: MemeLibrary) { self.library = library }

  func run() async {
    let library = library
    let syncing = Task { await library.run() }
    let telling = Task { await tell() }
    let signals = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { syncing.cancel() }
      source.resume()
      return source
    }
    await syncing.value
    telling.cancel()
    await telling.value
    withExtendedLifetime(signals) {}
  }

  private func tell() async {
    var last: LibraryStatus?
    for await update in library.updates {
      for meme in update.memes { await tell(of: meme) }
      let status = library.status
      if status != last, let text = text(of: status) { Terminal.tell(text) }
      last = status
    }
  }

  private func tell(of id: Meme.ID) async {
    switch try? await library.meme(id).state {
    case nil: Terminal.tell("\(id) was deleted")
    case .sent: Terminal.tell("\(id) is in sync")
    case .failed(let refusal, let draft):
      Terminal.tell("\(id) was rejected and saved as draft \(draft): \(refusal.detail)")
    case .draft(let draft): Terminal.tell("\(id) was saved as draft \(draft)")
    case .waiting, .sending: break
    }
  }

  private func text(of status: LibraryStatus) -> String? {
    switch status {
    case .idle, .syncing: nil
    case .upToDate: "up to date"
    case .waiting(_, let reason): "waiting: \(reason)"
    case .signInNeeded: "not signed in; run mememe-client login"
    case .stopped(let reason): "stopped: \(reason)"
    }
  }
}
