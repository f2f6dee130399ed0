import Arguments
import Testing

struct ArgumentParserTests {
  private func parser(_ words: String...) -> ArgumentParser {
    ArgumentParser(words, help: "Try: help")
  }

  @Test func `the leading words end at the first flag`() {
    var words = parser("role", "ada", "--csv", "admin")
    let leading = words.takeLeading()
    #expect(leading == ["role", "ada"])
    #expect(words.rest == ["--csv", "admin"])
    let more = words.takeLeading()
    #expect(more.isEmpty)
  }

  @Test func `words and flags are taken from any position`() throws {
    var words = parser("--json", "delete", "--offline", "1")
    let flags = [words.take("--offline"), words.take("--offline")]
    #expect(flags == [true, false])
    let (command, id) = (words.takeFirst(), try words.takeRequired("meme ID"))
    #expect(command == "delete" && id == "1")
    let none = words.takeFirst()
    #expect(none == nil)
    #expect(words.rest == ["--json"])
    #expect(throws: UsageError("Try: help", "missing meme ID")) {
      try words.takeRequired("meme ID")
    }
  }

  @Test func `a flag is taken from a list of words`() {
    var words = ["--data", "x", "--decode"]
    let flags = (0..<2).map { _ in ArgumentParser.take("--decode", from: &words) }
    #expect(flags == [true, false])
    #expect(words == ["--data", "x"])
  }

  @Test(arguments: [["--top", "a=b", "x"], ["x", "--top=a=b"], ["--top=a=b", "x"]])
  func `the value of a flag follows it, or an equals sign`(words: [String]) throws {
    var words = ArgumentParser(words, help: "")
    let (value, none) = (try words.takeValue(of: "--top"), try words.takeValue(of: "--top"))
    #expect(value == "a=b" && none == nil)
    #expect(words.rest == ["x"])
  }

  @Test func `a value may be empty or start like a flag, but must exist`() throws {
    var words = parser("--top=", "--bottom", "--top", "--alt", "--end")
    let values = [
      try words.takeValue(of: "--top"), try words.takeValue(of: "--bottom"),
      try words.takeValue(of: "--alt"),
    ]
    #expect(values == ["", "--top", "--end"])
    words = parser("post", "--top")
    #expect(throws: UsageError("Try: help", "--top: missing value")) {
      try words.takeValue(of: "--top")
    }
  }
}
