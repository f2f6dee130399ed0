import Memes
import Testing

struct SecondFactorCodeTests {
  @Test(arguments: [
    ("123456", SecondFactorCode.computed("123456")), ("012 345", .computed("012345")),
    (" 123-456 ", .computed("123456")),
    ("abcd-efgh-ijkl-2345", .recovery("abcdefghijkl2345")),
    ("ABCD EFGH IJKL 2345", .recovery("abcdefghijkl2345")),
    ("abcdefghijkl2345", .recovery("abcdefghijkl2345")),
  ])
  func `a code is read as people type it`(text: String, code: SecondFactorCode) {
    #expect(SecondFactorCode(text) == code)
  }

  @Test(arguments: [
    "", "12345", "1234567", "١٢٣٤٥٦", "abcd-efgh-ijkl-234", "abcd-efgh-ijkl-2341", "12345\n",
    "abcd-efgh-ijkl-234é", String(repeating: " ", count: 64) + "123456",
  ])
  func `other texts are no codes`(text: String) {
    #expect(SecondFactorCode(text) == nil)
  }

  @Test func `a recovery code is shown in groups and never printed`() throws {
    #expect(SecondFactorCode.grouped("abcdefghijkl2345") == "abcd-efgh-ijkl-2345")
    let code = try #require(SecondFactorCode("abcd-efgh-ijkl-2345"))
    #expect("\(code)" == "SecondFactorCode" && !String(reflecting: code).contains("abcd"))
  }
}
