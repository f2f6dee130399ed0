import Foundation
import Memes
import Testing

struct NotificationIDTests {
  @Test(arguments: [1, 2, 255, 1 << 40, 1 << 62 - 1] as [Int64])
  func `an id is a UUIDv7 that contains its place`(place: Int64) throws {
    let id = NotificationID(place: place, at: Timestamp(millisecondsSince1970: 1_700_000_000_123))
    #expect(id.place == place)
    let text = id.description
    #expect(text.hasPrefix("018bcfe5-687b-7000-"))
    #expect("89ab".contains(try #require(text.dropFirst(19).first)))
    #expect(NotificationID(text)?.place == place)
  }

  @Test(arguments: [
    "018bcfe5-687b-7001-8000-000000000001", "018bcfe5-687b-4000-8000-000000000001",
    "018bcfe5-687b-7000-0000-000000000001", "018bcfe5-687b-7000-c000-000000000001",
  ])
  func `other ids have no place`(text: String) throws {
    #expect(try #require(NotificationID(text)).place == nil)
  }
}
