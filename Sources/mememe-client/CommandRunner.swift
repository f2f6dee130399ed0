import Arguments
import Foundation
import MemeMeClient

/// Executes commands on the library of a store.
struct CommandRunner {
  private let options: Options
  private let account: SignedInAccount?
  private let library: MemeLibrary

  init(_ options: Options, for errand: ParsedCommand.Command) throws {
    self.options = options
    do { account = try SignedInAccount.read(in: options.store) } catch {
      // A user who cannot sync can still see and change local data, and log in again.
      guard options.isOffline || !errand.syncs else { throw error }
      account = nil
    }
    let server = options.server ?? account?.server ?? Self.nowhere
    // A token is only valid for the server that issued it.
    let token = account.flatMap { $0.server.hasSameOrigin(as: server) ? $0.token : nil }
    var client = MemeMeClient(server, token: token)
    client.silence = options.timeout
    library = try MemeLibrary(at: options.store, client: client)
  }

  /// Stands in for the server until the user specifies one.
  private static let nowhere = URL(filePath: "/")

  func follow(_ errand: ParsedCommand.Command) async throws {
    do { try await run(errand) } catch {
      await library.close()
      throw error
    }
    await library.close()
  }

  private func run(_ errand: ParsedCommand.Command) async throws {
    switch errand {
    case .logIn(let username): try await logIn(username)
    case .logOut(let isForced): try await logOut(isForced)
    case .post(let file, let fields):
      let picture: Data
      do { picture = try Data(contentsOf: URL(filePath: file)) } catch {
        throw Failure(reason: "cannot read \(file)")
      }
      let meme = try await library.create(fields, picture: picture)
      print("\(meme)")
      try await send(meme)
    case .edit(let meme, let edit):
      try await library.edit(meme, edit)
      try await send(meme)
    case .delete(let meme):
      try await library.delete(meme)
      try await send(meme)
    case .list: try await ListPrinter(isJSON: options.isJSON).print(memesOf: library)
    case .drafts: try await ListPrinter(isJSON: options.isJSON).print(draftsOf: library)
    case .apply(let draft, let edit):
      let meme = try await library.apply(draft, with: edit)
      print("\(meme)")
      try await send(meme)
    case .discard(let draft): try await library.discard(draft)
    case .sync(let watches): try await watches ? Watch(library).run() : sync()
    }
  }

  private func logIn(_ name: String?) async throws {
    guard let server = options.server ?? account?.server else {
      throw UsageError("login: --server is required the first time")
    }
    guard let name = name ?? account?.username else {
      throw UsageError("login: missing username")
    }
    let password =
      try ProcessInfo.processInfo.environment["MEMEME_PASSWORD"] ?? Terminal.password()
    var client = MemeMeClient(server)
    client.silence = options.timeout
    let signedIn: SignedIn
    do { signedIn = try await client.signIn(name, password: password) } catch MemeMeError.problem(
      let problem) where problem.code == .codeRequired
    {
      signedIn = try await client.signIn(name, password: password, code: try Terminal.code())
    }
    if let owner = try await library.owner(), try await !library.canBelong(to: signedIn.user) {
      try? await client.authorized(by: signedIn.token).signOut()
      throw LibraryError.otherPerson(owner: owner, signedIn: signedIn.user.username)
    }
    try SignedInAccount(
      server: server, username: signedIn.user.username, token: signedIn.token
    ).write(in: options.store)
    Terminal.tell("signed in as \(signedIn.user.username)")
  }

  private func logOut(_ isForced: Bool) async throws {
    let waiting = try await library.waitingCount()
    guard waiting == 0 || isForced else {
      throw Failure(
        reason:
          "\(waiting) changes are not sent yet. Run sync first, or discard them with logout --force."
      )
    }
    let drafts = try await library.drafts().count
    guard drafts == 0 || isForced else {
      throw Failure(
        reason:
          "\(drafts) drafts would be lost. Apply or discard them first, or discard all with logout --force."
      )
    }
    try await library.signOut()
    SignedInAccount.remove(in: options.store)
  }

  private func sync() async throws {
    let report = try await library.sync()
    let drafts = try await library.drafts().count
    Terminal.tell(
      "received \(report.received), sent \(report.sent), waiting \(try await library.waitingCount()), drafts \(drafts)"
    )
  }

  /// Syncs, unless the user works offline, and shows the progress of the meme.
  private func send(_ meme: Meme.ID) async throws {
    guard !options.isOffline else { return }
    let library = library
    let earlier = try await Set(library.drafts().map(\.id))
    let watching = Task {
      var bar = ProgressBar()
      for await _ in library.updates {
        if case .sending(let fraction)? = try? await library.meme(meme).state {
          bar.show(fraction)
        } else {
          bar.clear()
        }
      }
      bar.clear()
    }
    do { try await library.sync() } catch {
      watching.cancel()
      await watching.value
      throw error
    }
    watching.cancel()
    await watching.value
    let draft = try await library.drafts().first { $0.meme == meme && !earlier.contains($0.id) }
    if let draft {
      throw Failure(reason: "\(draft.reason) Saved as draft \(draft.id).")
    }
  }
}

extension URL {
  /// Whether scheme, host and port are equal (RFC 6454).
  fileprivate func hasSameOrigin(as other: URL) -> Bool {
    func origin(_ url: URL) -> [String] {
      let scheme = url.scheme?.lowercased() ?? ""
      let port = url.port ?? (scheme == "https" ? 443 : 80)
      return [scheme, url.host?.lowercased() ?? "", "\(port)"]
    }
    return origin(self) == origin(other)
  }
}
