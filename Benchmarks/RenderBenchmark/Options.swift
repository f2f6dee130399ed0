/// The command-line options.
struct Options {
  var width = 2725
  var height = 2225
  var seed: UInt64 = 1
  var runs = 15
  var photoPath: String?
  var picturePath: String?
  var program: String?
  var maxEdge = 16_384
  var measuresCosts = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--costs" {
        measuresCosts = true
        continue
      }
      guard let value = rest.popFirst() else { throw UsageError() }
      switch name {
      case "--size":
        let edges = value.split(separator: "x").compactMap { Int($0) }
        guard edges.count == 2, edges.allSatisfy({ (16...16_384).contains($0) }) else {
          throw UsageError()
        }
        (width, height) = (edges[0], edges[1])
      case "--seed": seed = try number(value)
      case "--runs": runs = try number(value)
      case "--write-photo": photoPath = value
      case "--picture": picturePath = value
      case "--helpers": program = value
      case "--max-edge": maxEdge = try number(value)
      default: throw UsageError()
      }
    }
    guard runs > 0 else { throw UsageError() }
  }

  private func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
    guard let number = Number(text) else { throw UsageError() }
    return number
  }
}

struct UsageError: Error, CustomStringConvertible {
  let description = """
    usage: bench-render [--size WxH] [--seed N] [--runs N] [--picture PATH] [--write-photo PATH]
                        [--helpers PROGRAM] [--max-edge N] [--costs]
    """
}
