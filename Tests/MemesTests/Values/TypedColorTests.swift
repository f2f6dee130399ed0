import Memes
import Testing

struct TypedColorTests {
  @Test(arguments: [
    ("Red", "#ff0000"), ("ffcc00", "#ffcc00"), ("#FFCC00", "#ffcc00"), ("fc0", "#ffcc00"),
  ])
  func `a color is typed as a name or as digits`(text: String, color: String) throws {
    #expect(try Color.typed(text).description == color)
  }

  @Test(arguments: ["", "zzz", "sand", "ffcc0", "##ffcc00"])
  func `the error of a typed color needs no number sign`(text: String) throws {
    let error = #expect(throws: InvalidValue.self) { try Color.typed(text) }
    #expect(error?.code == "invalid-colour")
    #expect(error?.message.contains("digits like ffcc00") == true)
  }
}
