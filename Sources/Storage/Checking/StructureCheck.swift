import Memes

/// Checks what an engine should guarantee about its data, without knowing what the rows mean.
protocol StructureCheck: Sendable {
  func findings() -> [Finding]
}
