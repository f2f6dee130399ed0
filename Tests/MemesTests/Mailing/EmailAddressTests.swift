import Memes
import Testing

struct EmailAddressTests {
  @Test(arguments: [
    "a@b", "somebody@example.org", "first.last+tag@sub.example.org", "o'brien_{x}~@ex-ample.org",
    "!#$%&'*+-/=?^_`{|}~@1.example", String(repeating: "a", count: 64) + "@example.org",
  ])
  func `a mailbox address is accepted`(_ text: String) throws {
    let address = try EmailAddress(text)
    #expect(address.text == text)
    #expect(text.hasSuffix("@\(address.domain)"))
  }

  @Test(arguments: [
    "", "@", "a", "a@", "@b", "a@@b", "a@b@c", ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c",
    "a@-b", "a@b-", "a b@c", "a@b c", "a@b\r\nBcc: c@d", "a\r\n@b", "a@b\n", "\u{0}@b", "<a@b>",
    "a@b>",
    "\"a\"@b", "a@[127.0.0.1]", "ä@b", "a@ä", "a,b@c", "a@b,c@d", "a;b@c", "a@b_c",
    String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b", count: 64),
    "a@" + Array(repeating: "bbbbbbbb", count: 30).joined(separator: "."),
  ])
  func `any other text is rejected`(_ text: String) {
    #expect(throws: InvalidValue.self) { try EmailAddress(text) }
  }
}
