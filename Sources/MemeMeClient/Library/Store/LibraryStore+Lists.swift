import Foundation
import SQL

/// How a list presents the library: the server's memes with local changes applied, and memes that exist only locally.
struct LibraryView: Sendable {
  let thumbnail: PictureKind
  /// The upload progress of each meme that is being sent, from 0 to 1.
  let progress: [Meme.ID: Double]
}

extension LibraryStore {
  /// - Parameter last: The last item of the previous page; `nil` for the first page.
  func items(
    _ view: LibraryView, limit: Int, after last: LibraryItem?
  ) throws(LibraryError) -> [LibraryItem] {
    let (time, id) = (last?.createdAt.milliseconds ?? Int64.max, last?.id.description ?? "")
    return try read { db in
      let listed = try db.all(
        """
        SELECT * FROM (
          SELECT created_at, id, json, EXISTS (SELECT 1 FROM outbox WHERE meme = id) AS waits,
            EXISTS (SELECT 1 FROM drafts WHERE meme = id) AS has_draft
          FROM memes WHERE (created_at, id) < (?, ?)
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE meme = id AND kind = 3)
          ORDER BY created_at DESC, id DESC LIMIT ?)
        UNION ALL SELECT * FROM (
          SELECT created_at, meme, NULL, 1, 0 FROM outbox
          WHERE kind = 1 AND (created_at, meme) < (?, ?)
          ORDER BY created_at DESC, meme DESC LIMIT ?)
        UNION ALL SELECT * FROM (
          SELECT created_at, meme, NULL, 0, 1 FROM drafts
          WHERE kind = 1 AND (created_at, meme) < (?, ?)
          ORDER BY created_at DESC, meme DESC LIMIT ?)
        ORDER BY 1 DESC, 2 DESC LIMIT ?
        """,
        time, id, limit, time, id, limit, time, id, limit, limit, decode: ListedMeme.init)
      var items: [LibraryItem] = []
      for meme in listed { items.append(try Self.item(meme, view, in: db)) }
      return items
    }
  }

  private static func item(
    _ listed: ListedMeme, _ view: LibraryView, in db: borrowing Access
  ) throws -> LibraryItem {
    let waiting = listed.waits ? try entries(of: listed.id, in: db) : []
    let drafts = listed.hasDraft ? try drafts(of: listed.id, in: db) : []
    let content = shown(waiting, listed.words == nil ? drafts : [])
    let size = listed.words.map {
      view.thumbnail == .table ? $0.thumbnails.table : $0.thumbnails.grid
    }
    return LibraryItem(
      id: listed.id, createdAt: listed.createdAt,
      top: content.setsBoxes ? "" : content.top.applied(to: listed.words?.top ?? "", unset: ""),
      bottom: content.setsBoxes
        ? "" : content.bottom.applied(to: listed.words?.bottom ?? "", unset: ""),
      altText: content.writtenAltText.value ?? listed.words?.altText ?? "",
      state: MemeState(
        isWaiting: !waiting.isEmpty, progress: view.progress[listed.id], drafts.first),
      thumbnail: try picture(view.thumbnail, of: listed.id, in: db)?.data,
      thumbnailSize: size.map { LibraryItem.PixelSize(width: $0.width, height: $0.height) })
  }

  /// - Throws: ``LibraryError/noSuchMeme``.
  func meme(
    _ id: Meme.ID, progress: Double?
  ) throws(LibraryError) -> LibraryMeme {
    try read { db in
      let stored = try Self.stored(id, in: db)
      let (entries, drafts) = (try Self.entries(of: id, in: db), try Self.drafts(of: id, in: db))
      let created = entries.first ?? nil
      let draft = drafts.first { $0.kind == .creation }
      guard entries.first?.kind != .deletion,
        let createdAt = stored?.createdAt ?? created?.createdAt ?? draft?.createdAt
      else { throw LibraryError.noSuchMeme }
      let waiting = Self.shown(entries, stored == nil ? drafts : [])
      return LibraryMeme(
        id: id, createdAt: createdAt,
        state: MemeState(isWaiting: !entries.isEmpty, progress: progress, drafts.first),
        meme: stored?.with(waiting), waiting: waiting, drafts: drafts)
    }
  }

  /// The edit to apply on top of the server's state: all waiting changes in order, or the content of a creation draft.
  private static func shown(_ waiting: [OutboxEntry], _ drafts: [LibraryDraft]) -> MemeEdit {
    if waiting.isEmpty, let draft = drafts.first(where: { $0.kind == .creation }) {
      return draft.content
    }
    return MemeEdit(waiting.map(\.content))
  }
}

/// A meme on a page of a list.
private struct ListedMeme {
  let createdAt: Date
  let id: Meme.ID
  /// `nil` if the server does not have the meme.
  let words: Words?
  let waits: Bool
  let hasDraft: Bool

  /// The part of the server's JSON that a list needs.
  struct Words: Decodable {
    let top: String
    let bottom: String
    let altText: String
    let thumbnails: Meme.Thumbnails
  }

  init(_ row: inout Row) throws {
    (createdAt, id) = (try row.nextDate(), try row.nextID())
    words = try row.nextJSON(Words.self)
    (waits, hasDraft) = (try row.next(), try row.next())
  }
}

extension MemeState {
  fileprivate init(isWaiting: Bool, progress: Double?, _ draft: LibraryDraft?) {
    if isWaiting {
      self = progress.map(Self.sending) ?? .waiting
    } else if let draft {
      if case .refused(let refusal) = draft.reason {
        self = .failed(refusal, draft: draft.id)
      } else {
        self = .draft(draft.id)
      }
    } else {
      self = .sent
    }
  }
}
