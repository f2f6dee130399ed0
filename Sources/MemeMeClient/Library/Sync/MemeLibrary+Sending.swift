import Foundation
import Synchronization

// Sending the outbox.
extension MemeLibrary {
  /// Sends the waiting entries in order.
  ///
  /// - Parameter count: The number of settled entries is added to it, also if this throws.
  /// - Returns: Whether an entry was settled.
  func send(
    _ skipped: inout SkippedEntries, _ count: inout Int, by client: NumberedClient
  ) async throws -> Bool {
    let before = count
    while let sending = try await store.next(
      but: skipped.memes, withoutUpload: skipped.startsUploads ? .max : Self.wholeBytes)
    {
      try Task.checkCancellation()
      let entry = sending.entry
      do {
        let outcome = try await tell(sending, by: client)
        try await store.settle(entry, outcome)
        skipped.succeeded()
        count += 1
        changes.tell(LibraryUpdate([entry.meme]))
      } catch let error as MemeMeError {
        changes.tell(LibraryUpdate([entry.meme]))
        try skipped.skip(entry.meme, error)
      }
    }
    return count > before
  }

  /// Sends an entry and determines the outcome.
  ///
  /// - Throws: An error if the outcome cannot be determined now.
  private func tell(
    _ sending: Sending, by client: NumberedClient
  ) async throws -> SendingOutcome {
    let entry = sending.entry
    defer { uploads.withLock { _ = $0.removeValue(forKey: entry.meme) } }
    do {
      return try await asking(client) { client in
        switch entry.kind {
        case .creation: .created(try await create(sending, by: client))
        case .edit:
          .edited(
            try await client.edit(
              entry.meme, entry.content ?? MemeEdit(), ifVersion: entry.version ?? 1))
        case .deletion:
          try await delete(entry.meme, by: client)
        }
      }
    } catch MemeMeError.problem(let problem) where problem.status == 412 && entry.kind == .edit {
      if let current = problem.current { return .conflict(current) }
      return try await current(entry.meme, by: client)
    } catch let error as MemeMeError {
      guard let outcome = SendingOutcome(error, of: entry.kind) else { throw error }
      return outcome
    }
  }

  private func delete(
    _ meme: Meme.ID, by client: MemeMeClient
  ) async throws -> SendingOutcome {
    try await client.delete(meme)
    return .deleted
  }

  private func current(
    _ meme: Meme.ID, by client: NumberedClient
  ) async throws -> SendingOutcome {
    do {
      return .conflict(try await asking(client) { try await $0.meme(meme) })
    } catch let error as MemeMeError {
      guard let outcome = SendingOutcome(error, of: .edit) else { throw error }
      return outcome
    }
  }
}

extension LibraryDraft.Refusal {
  fileprivate init(_ problem: Problem) {
    self.init(code: problem.code, detail: problem.detail, fields: problem.fields)
  }
}

extension SendingOutcome {
  /// Returns the outcome that an error stands for; `nil` if a later attempt may succeed.
  fileprivate init?(_ error: MemeMeError, of kind: OutboxEntry.Kind) {
    switch error {
    case .problem(let problem):
      switch problem.status {
      case 410: self = .gone
      // For a creation, 404 means that no memes can be created at this address.
      case 404 where kind != .creation: self = .missing
      case 507 where problem.code == .quotaExceeded: self = .refused(LibraryDraft.Refusal(problem))
      case 408, 425, 429, 500...: return nil
      case 409 where problem.code == .idempotencyKeyInUse: return nil
      // Another request, perhaps an earlier one of this library, is sending the picture.
      case 409 where [.offsetMismatch, .uploadBusy].contains(problem.code): return nil
      case 403 where problem.isAboutCaller: return nil
      default:
        self = .refused(LibraryDraft.Refusal(problem))
      }
    // An intermediary rejects requests of this size.
    case .unexpectedAnswer(status: 413, _, _):
      self = .refused(
        LibraryDraft.Refusal(
          code: .contentTooLarge,
          detail: "A proxy in front of the server rejected the picture because it is too large.",
          fields: []))
    default: return nil
    }
  }
}
