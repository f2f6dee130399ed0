import Bytes
import Foundation
import HTTP
import Memes
import Testing

@testable import API

struct ClockCacheTests {
  private static func list(
    _ memes: [MemeID] = [], isFirst: Bool = true, isRanked: Bool = false
  ) -> CachedResponse.Subject {
    .list(CachedList(memes: memes, isFirst: isFirst, isRanked: isRanked))
  }

  private func answer(
    bytes: Int, _ subject: CachedResponse.Subject = list()
  ) -> CachedResponse {
    CachedResponse(
      response: Response(.ok, "image/jpeg", Bytes([UInt8](repeating: 7, count: bytes))),
      subject: subject, route: RouteID(pattern: "/", index: 0))
  }

  @Test func `the cache never exceeds its capacity`() {
    var shelf = ClockCache(capacityBytes: 200_000)
    var random = SystemRandomNumberGenerator()
    let memes = (0..<20).map { _ in MemeID(UUID()) }
    let templates = (0..<5).map { _ in TemplateID(UUID()) }
    for round in 0..<5000 {
      let meme = memes[Int.random(in: 0..<20, using: &random)]
      let template = templates[round % 5]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: _ = shelf.remove(changedBy: .edited(meme))
      case 1: _ = shelf.remove(changedBy: .created(MemeID(UUID())))
      case 2...4: _ = shelf.answer(to: "/\(Int.random(in: 0..<100, using: &random))")
      case 5: _ = shelf.remove(changedBy: .templateChanged(template))
      case 6: _ = shelf.insert(answer(bytes: 9000, .template(template)), to: "/t\(round % 30)")
      default:
        let size = Int.random(in: 0..<30_000, using: &random)
        _ = shelf.insert(
          answer(bytes: size, round % 3 == 0 ? Self.list([meme, memes[0]]) : .meme(meme)),
          to: "/\(Int.random(in: 0..<100, using: &random))")
      }
      #expect(shelf.usedBytes <= 200_000)
      #expect(shelf.usedBytes >= shelf.count * 1024)
    }
    for meme in memes { _ = shelf.remove(changedBy: .edited(meme)) }
    for template in templates { _ = shelf.remove(changedBy: .templateChanged(template)) }
    _ = shelf.remove(changedBy: .created(MemeID(UUID())))
    #expect(shelf.usedBytes == 0)
    #expect(shelf.count == 0)
  }

  @Test func `an entry in use survives many entries that are read once`() {
    var shelf = ClockCache(capacityBytes: 100_000)
    _ = shelf.insert(answer(bytes: 5000), to: "/wanted")
    for number in 0..<500 {
      #expect(shelf.answer(to: "/wanted") != nil)
      _ = shelf.insert(answer(bytes: 5000), to: "/passing/\(number)")
    }
    #expect(shelf.answer(to: "/passing/0") == nil)
    #expect(shelf.count > 10)
  }

  @Test func `a response that is too large is not cached and evicts nothing`() {
    var shelf = ClockCache(capacityBytes: 100_000)
    _ = shelf.insert(answer(bytes: 5000), to: "/small")
    _ = shelf.insert(answer(bytes: 20_000), to: "/large")
    #expect(shelf.answer(to: "/large") == nil)
    #expect(shelf.answer(to: "/small") != nil)
  }

  @Test func `a cache of zero capacity stores nothing`() {
    var shelf = ClockCache(capacityBytes: 0)
    _ = shelf.insert(answer(bytes: 0), to: "/")
    #expect(shelf.count == 0)
  }

  @Test func `an edit evicts exactly the responses that show the meme`() {
    var shelf = ClockCache(capacityBytes: 100_000)
    let (gone, other) = (MemeID(UUID()), MemeID(UUID()))
    _ = shelf.insert(answer(bytes: 10, .meme(gone)), to: "/gone/image")
    _ = shelf.insert(answer(bytes: 10, .meme(gone)), to: "/gone?")
    _ = shelf.insert(answer(bytes: 10, .meme(other)), to: "/other")
    #expect(shelf.remove(changedBy: .edited(gone)).count == 2)
    #expect(shelf.answer(to: "/gone/image") == nil)
    #expect(shelf.answer(to: "/gone?") == nil)
    #expect(shelf.answer(to: "/other") != nil)
  }

  @Test func `a changed count evicts only responses that show counts`() {
    var shelf = ClockCache(capacityBytes: 100_000)
    let meme = MemeID(UUID())
    _ = shelf.insert(answer(bytes: 10, .look(meme)), to: "/meme/image")
    _ = shelf.insert(answer(bytes: 10, .meme(meme)), to: "/meme")
    #expect(shelf.remove(changedBy: .counted(meme)).count == 1)
    #expect(shelf.answer(to: "/meme") == nil)
    #expect(shelf.answer(to: "/meme/image") != nil)
    #expect(shelf.remove(changedBy: .edited(meme)).count == 1)
    #expect(shelf.count == 0 && shelf.usedBytes == 0)
  }

  @Test func `a changed template evicts only what is drawn from it`() {
    let (template, meme) = (TemplateID(UUID()), MemeID(UUID()))
    let subjects: [String: CachedResponse.Subject] = [
      "own": .template(template), "other": .template(TemplateID(UUID())), "meme": .meme(meme),
      "look": .look(meme), "list": Self.list([meme], isRanked: true),
    ]
    for (change, evicted) in [
      (MemeChange.templateChanged(template), ["own"]), (.created(meme), ["list", "look", "meme"]),
      (.missed, subjects.keys.sorted()),
    ] {
      var shelf = ClockCache(capacityBytes: 100_000)
      for (name, subject) in subjects { _ = shelf.insert(answer(bytes: 10, subject), to: name) }
      _ = shelf.remove(changedBy: change)
      #expect(subjects.keys.filter { shelf.answer(to: $0) == nil }.sorted() == evicted)
    }
  }

  @Test func `a change evicts only lists whose memes or order it affects`() {
    let (meme, other) = (MemeID(UUID()), MemeID(UUID()))
    let lists: [String: CachedResponse.Subject] = [
      "first": Self.list([meme]), "first of others": Self.list([other]),
      "next": Self.list([meme], isFirst: false),
      "next of others": Self.list([other], isFirst: false),
      "ranked": Self.list([other], isFirst: false, isRanked: true),
    ]
    for (change, kept) in [
      (MemeChange.counted(meme), Set(["first of others", "next of others"])),
      (.created(MemeID(UUID())), ["next", "next of others"]), (.edited(meme), []),
      (.deleted(meme), []), (.restored(meme), []), (.claimed(meme), []), (.many, []),
      (.purged(meme), Set(lists.keys)),
    ] {
      var shelf = ClockCache(capacityBytes: 100_000)
      for (name, subject) in lists { _ = shelf.insert(answer(bytes: 10, subject), to: name) }
      _ = shelf.remove(changedBy: change)
      #expect(Set(lists.keys.filter { shelf.answer(to: $0) != nil }) == kept, "\(change)")
      _ = shelf.remove(changedBy: .many)
      #expect(shelf.count == 0 && shelf.usedBytes == 0)
    }
  }
}
