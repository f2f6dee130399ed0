import Support

/// Edits and shares. Only the client that made a meme changes it, one change after the other.
extension Ledger {
  enum Change: Sendable {
    case edit(caption: String)
    /// With its idempotency key.
    case share(key: String)
  }

  /// - Returns: the token of the meme, whose change is pending from now on, or `nil` if the meme no longer exists.
  func willChange(_ id: String, by change: Change) -> String? {
    self.change { state in
      guard !state.deleting.contains(id), let token = state.kept[id]?.token else { return nil }
      state.changing[id] = change
      return token
    }
  }

  /// - Parameter json: the meme after the edit.
  func wasEdited(_ id: String, to json: JSON) {
    change { state in
      state.changing[id] = nil
      state.kept[id]?.json = json
    }
  }

  func wasShared(_ id: String) {
    change { state in
      state.changing[id] = nil
      state.kept[id]?.shares += 1
    }
  }
}
