import Bytes
import Foundation
import Memes
import Testing
import mememe

/// Tests the password rules with the list in the binary.
struct CommonPasswordTests {
  private let rules = PasswordRules(common: Assets.commonPasswords)

  private func code(of password: String) -> String? {
    do throws(InvalidValue) {
      _ = try rules.password(password)
      return nil
    } catch { return error.code }
  }

  @Test func `each of the 3,000 most common passwords is rejected`() throws {
    let lines = try #require(Assets.commonPasswords.utf8Text).split(separator: "\n")
    #expect(lines.count == 3000)
    for line in lines {
      #expect(code(of: String(line)) == "common", "\(line)")
      #expect(code(of: line.uppercased()) == "common", "\(line)")
    }
  }

  @Test func `passwords that only resemble the list are accepted`() throws {
    let lines = Set(try #require(Assets.commonPasswords.utf8Text).split(separator: "\n"))
    for line in lines {
      for near in ["\(line)~", "\(line)\n", "~\(line)", " \(line)"]
      where !lines.contains(near[...]) {
        #expect(code(of: near) == nil, "\(near)")
      }
    }
    for edge in ["\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}", "\u{10FFFD}........", "        "] {
      #expect(code(of: edge) == nil)
    }
    #expect(PasswordRules(common: Bytes()).refusal(of: try Password("x"), for: nil, nil) == nil)
  }
}
