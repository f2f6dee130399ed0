import Foundation
import Memes
import PostgreSQL
import Storage

/// `mememe move`: copies an installation between a data folder and PostgreSQL.
///
/// Exits 0 if the copy is complete and verified, 1 if the copy failed, 2 if nothing was written.
struct MoveCommand: Sendable {
  private let order: MoveOptions
  private let settings: Settings
  private let copying = ProgressLine("copying", .things("rows"))
  private let verifying = ProgressLine("verifying", .things("rows"))

  init(_ order: MoveOptions, _ settings: Settings) {
    (self.order, self.settings) = (order, settings)
  }

  /// - Returns: the exit code.
  /// - Throws: ``SettingError``.
  func run() async throws -> Int32 {
    do {
      switch order.target {
      case .server:
        let summary = try await Server.moveToServer(settings, tell: tell)
        line(text(of: summary, from: settings.dataFolder, to: settings.database?.description ?? ""))
        line(afterMoveToServer)
      case .folder(let path):
        let copy = try await Server.moveToFolder(path, settings, tell: tell)
        line(text(of: copy.summary, from: settings.database?.description ?? "", to: path))
        if !copy.runningServers.isEmpty {
          line("Servers were running. The copy has the data from the start of this command.")
        }
      }
      return 0
    } catch let error as SettingError { throw error } catch {
      clear()
      FileHandle.standardError.put("mememe: \(error.reason)\n")
      return isRefusal(error) ? 2 : 1
    }
  }

  private func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case let error as MoveFailure: error.isRefusal
    case is NoDatabase, is DataFolder.InUse, is UnusableDatabase, is UnusableServer, is WrongClock:
      true
    default: false
    }
  }

  private func text(of summary: Move.Summary, from source: String, to target: String) -> String {
    """
    copied \(source) to \(target): \(summary.memes) memes, \(summary.accounts) accounts, \(summary.rows) rows in all, \
    \(summary.pictures) pictures with \(summary.pictureBytes) bytes; all verified
    """
  }

  private var afterMoveToServer: String {
    """
    Start the servers with a copy of \(settings.dataFolder)/secret-key as MEMEME_SECRET_KEY_FILE, and with the content \
    of \(settings.dataFolder)/admin-token as MEMEME_ADMIN_TOKEN. Do not start a server with \(settings.dataFolder) again.
    """
  }

  @Sendable private func tell(_ event: Move.Event) {
    switch event {
    case .copying(let done, let all): copying.show(done, of: all)
    case .verifying(let done, let all): verifying.show(done, of: all)
    case .broken(let text): line("broken picture: \(text)")
    }
  }

  private func line(_ text: String) {
    clear()
    FileHandle.standardOutput.put("\(text)\n")
  }

  private func clear() {
    copying.clear()
    verifying.clear()
  }
}
