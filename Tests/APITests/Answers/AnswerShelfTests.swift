import Bytes
import Foundation
import HTTP
import Memes
import Testing

@testable import API

struct AnswerShelfTests {
  private func answer(
    bytes: Int, _ subject: KnownAnswer.Subject = .list
  ) -> KnownAnswer {
    KnownAnswer(
      response: Response(.ok, "image/jpeg", Bytes([UInt8](repeating: 7, count: bytes))),
      subject: subject, route: RouteMark(pattern: "/", index: 0))
  }

  @Test func `what is kept never takes more than it may, whatever comes and goes`() {
    var shelf = AnswerShelf(capacityBytes: 200_000)
    var random = SystemRandomNumberGenerator()
    let memes = (0..<20).map { _ in MemeID(UUID()) }
    for round in 0..<5000 {
      let meme = memes[Int.random(in: 0..<20, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: _ = shelf.removeAll(about: meme)
      case 1: _ = shelf.removeLists()
      case 2...4: _ = shelf.answer(to: "/\(Int.random(in: 0..<100, using: &random))")
      default:
        let size = Int.random(in: 0..<30_000, using: &random)
        _ = shelf.insert(
          answer(bytes: size, round % 3 == 0 ? .list : .meme(meme)),
          to: "/\(Int.random(in: 0..<100, using: &random))")
      }
      #expect(shelf.usedBytes <= 200_000)
      #expect(shelf.usedBytes >= shelf.count * 1024)
    }
    for meme in memes { _ = shelf.removeAll(about: meme) }
    _ = shelf.removeLists()
    #expect(shelf.usedBytes == 0)
    #expect(shelf.count == 0)
  }

  @Test func `what is asked for stays while many others pass by once`() {
    var shelf = AnswerShelf(capacityBytes: 100_000)
    _ = shelf.insert(answer(bytes: 5000), to: "/wanted")
    for number in 0..<500 {
      #expect(shelf.answer(to: "/wanted") != nil)
      _ = shelf.insert(answer(bytes: 5000), to: "/passing/\(number)")
    }
    #expect(shelf.answer(to: "/passing/0") == nil)
    #expect(shelf.count > 10)
  }

  @Test func `one large answer does not take the place of all others`() {
    var shelf = AnswerShelf(capacityBytes: 100_000)
    _ = shelf.insert(answer(bytes: 5000), to: "/small")
    _ = shelf.insert(answer(bytes: 20_000), to: "/large")
    #expect(shelf.answer(to: "/large") == nil)
    #expect(shelf.answer(to: "/small") != nil)
  }

  @Test func `without room nothing is kept`() {
    var shelf = AnswerShelf(capacityBytes: 0)
    _ = shelf.insert(answer(bytes: 0), to: "/")
    #expect(shelf.count == 0)
  }

  @Test func `what shows a meme goes with it, and the rest stays`() {
    var shelf = AnswerShelf(capacityBytes: 100_000)
    let (gone, other) = (MemeID(UUID()), MemeID(UUID()))
    _ = shelf.insert(answer(bytes: 10, .meme(gone)), to: "/gone/image")
    _ = shelf.insert(answer(bytes: 10, .meme(gone)), to: "/gone?")
    _ = shelf.insert(answer(bytes: 10, .meme(other)), to: "/other")
    #expect(shelf.removeAll(about: gone).count == 2)
    #expect(shelf.answer(to: "/gone/image") == nil)
    #expect(shelf.answer(to: "/gone?") == nil)
    #expect(shelf.answer(to: "/other") != nil)
  }

  @Test func `where only a count has changed, what shows none stays`() {
    var shelf = AnswerShelf(capacityBytes: 100_000)
    let meme = MemeID(UUID())
    _ = shelf.insert(answer(bytes: 10, .look(meme)), to: "/meme/image")
    _ = shelf.insert(answer(bytes: 10, .meme(meme)), to: "/meme")
    #expect(shelf.removeAll(about: meme, onlyCounts: true).count == 1)
    #expect(shelf.answer(to: "/meme") == nil)
    #expect(shelf.answer(to: "/meme/image") != nil)
    #expect(shelf.removeAll(about: meme).count == 1)
    #expect(shelf.count == 0 && shelf.usedBytes == 0)
  }
}
