import Foundation

/// The main function of libFuzzer, which `script/fuzz` links.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Usage: `fuzz <target>`, followed by options of libFuzzer. Without a target, prints the names of all targets.
@main
enum Fuzz {
  /// The target to fuzz, named by the first argument.
  private static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named)

  static func main() {
    guard let target else {
      for target in FuzzTarget.all { print(target.name) }
      return
    }
    let words =
      [CommandLine.arguments[0], "-max_len=\(target.maximumBytes)"]
      + CommandLine.arguments.dropFirst(2)
    // libFuzzer keeps these pointers until the process ends.
    let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
    arguments[words.count] = nil
    var (count, pointer) = (Int32(words.count), arguments)
    exit(runDriver(&count, &pointer) { bytes, count in Fuzz.test(bytes, count) })
  }

  private static func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
      try target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      FileHandle.standardError.write(Data("does not hold: \(error)\n".utf8))
      // libFuzzer treats an abort as a finding: it writes the input to a file and exits.
      abort()
    }
    return 0
  }
}
