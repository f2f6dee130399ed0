import Testing

@testable import Memes

struct DrawnAvatarTests {
  @Test(arguments: [
    ("Ada Lovelace", "AL"), ("ada lovelace", "AL"), ("ada", "A"), ("Ada de la Cruz", "AC"),
    ("  Ada   ", "A"), ("(Ada) [Lovelace]", "AL"), ("élan vital", "ÉV"), ("Ольга Иванова", "ОИ"),
    ("Ωμέγα", "Ω"), ("李小龙", "李"), ("王 菲", "王"), ("עדה לאבלייס", "ע"), ("عائشة القطة", "ع"),
    ("अमित कुमार", "अ"), ("김 철수", "김"), ("🐱 Cat", "🐱"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("🇩🇪", "🇩🇪"),
    ("7 of 9", "7"), ("straße", "S"), ("ßx", "S"), ("ﬁn", "F"), ("☃", "☃"), ("Jean-Luc", "JL"),
    ("John_Doe", "JD"), ("A 李", "A"),
  ])
  func `initials come from the display name`(_ name: String, _ initials: String) throws {
    let avatar = DrawnAvatar(
      username: try Username("zoe_1"), displayName: try DisplayName(name))
    #expect(avatar.initials == initials)
  }

  @Test(arguments: [
    (nil, "ada", "A"), ("!!!", "ada", "A"), (nil, "ada_lovelace", "AL"), (nil, "___", "@"),
    ("...", "_9_", "9"),
  ])
  func `a name without letters falls back to the username`(
    _ name: String?, _ username: String, _ initials: String
  ) throws {
    let avatar = DrawnAvatar(
      username: try Username(username), displayName: try name.map(DisplayName.init(_:)))
    #expect(avatar.initials == initials)
  }

  @Test func `excess combining marks are cut`() throws {
    let name = "e" + String(repeating: "\u{301}", count: 400)
    let avatar = DrawnAvatar(username: try Username("ada"), displayName: try DisplayName(name))
    #expect(avatar.initials.unicodeScalars.count <= 12)
  }

  @Test func `the color depends only on the username, and most colors are used`() throws {
    let one = DrawnAvatar(username: try Username("ada"), displayName: nil)
    let other = DrawnAvatar(username: try Username("ada"), displayName: try DisplayName("Bob"))
    #expect(one.background == other.background)
    // The color must not change between versions: users recognize each other by it.
    #expect(one.background.description == "#6d3fe0")
    let colours = try Set(
      (0..<200).map {
        DrawnAvatar(username: try Username("user\($0)"), displayName: nil).background
      })
    #expect(colours.count == 16)
  }
}
