import Memes
import Testing

@testable import Storage

struct CandidatePageTests {
  /// Returns a page of the numbers from 1 to 5000, of which only `shown` are visible.
  private func page(
    limit: Int, after place: Int? = nil, rest: (Int) -> Int = { $0 }, shown: Set<Int>
  ) throws -> (items: [Int], next: Int?, asked: [Int]) {
    var asked: [Int] = []
    let page = try candidatePage(limit: limit, after: place, rest: rest) {
      (place, count) in
      asked.append(count)
      return Candidates(Array(((place ?? 0) + 1)...5000).prefix(count).map(\.self))
    } show: { places in
      places.map { shown.contains($0) ? $0 : nil }
    }
    return (page.items, page.next, asked)
  }

  @Test func `a full page ends at its last item, whatever is hidden after it`() throws {
    let some = try page(limit: 1, shown: [3, 7])
    #expect(some.items == [3] && some.next == 3)
    for limit in [1, 2, 30] {
      let others = try page(limit: limit, shown: Set(stride(from: 5, to: 900, by: 7)))
      #expect(others.items.count == limit && others.next == others.items.last)
    }
    let end = try page(limit: 3, after: 4990, shown: [4992, 4995])
    #expect(end.items == [4992, 4995] && end.next == nil)
  }

  @Test func `a page that reaches its scan limit ends at the given resting place`() throws {
    #expect(try page(limit: 2, shown: [4, 1001]).next == 1000)
    let resting = { (place: Int) in place | 1023 }
    let short = try page(limit: 3, rest: resting, shown: [4, 1010, 2000])
    #expect(short.items == [4, 1010] && short.next == 1023)
    let full = try page(limit: 1, rest: resting, shown: [4, 1010])
    #expect(full.items == [4] && full.next == 4)
    #expect(try page(limit: 1, after: 1023, rest: resting, shown: []).next == 2047)
  }

  @Test func `a small page needs few queries`() throws {
    #expect(try page(limit: 1, shown: [1, 2]).asked == [2])
    #expect(try page(limit: 1, shown: []).asked == [2, 16] + Array(repeating: 100, count: 10))
    #expect(try page(limit: 100, shown: [1]).asked.allSatisfy { $0 == 101 })
  }

  @Test func `a page that runs out of time ends where its search stopped`() throws {
    let cut = try candidatePage(limit: 3, after: nil as Int?) { _, _ in
      Candidates([2, 4], cut: 1023)
    } show: { places in
      places.map { $0 == 4 ? nil : $0 }
    }
    #expect(cut.items == [2] && cut.next == 1023 && !cut.isComplete)
    // A page that is full before that is not affected.
    let full = try candidatePage(limit: 1, after: nil as Int?) { _, _ in
      Candidates([2, 4], cut: 1023)
    } show: { places in
      places.map(\.self)
    }
    #expect(full.items == [2] && full.next == 2 && full.isComplete)
  }
}
