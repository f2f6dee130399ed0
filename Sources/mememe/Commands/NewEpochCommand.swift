import Foundation
import Memes
import Storage

/// `mememe new-epoch`: after a restore by the means of PostgreSQL or of the disk, lets clients that sync start over.
/// `mememe restore` and `mememe move` do it themselves.
///
/// Exits 0 if it is done, 1 if not.
struct NewEpochCommand {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let access = try await ExclusiveAccess(settings)
      defer { withExtendedLifetime(access) {} }
      let database = try GuestDatabase(settings)
      do {
        // New versions are above the time, so it must be right.
        if case .shared(let shared, _) = database {
          try await SharedDatabase.clockDifference(ServerStore(shared))
        }
        try await Epoch.renew(of: database.any, at: .now())
      } catch {
        await database.close()
        throw error
      }
      await database.close()
      print("The database has a new epoch. Clients that sync will start over.")
      return 0
    } catch {
      FileHandle.standardError.put("mememe: \(error)\n")
      return 1
    }
  }
}
