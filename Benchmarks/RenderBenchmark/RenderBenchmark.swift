import Foundation

@main
struct RenderBenchmark { static func main() throws {} }
