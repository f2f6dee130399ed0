import Foundation

/// The memory that this process may use.
struct MachineMemory {
  /// The folders with process and control group information. Tests use other folders.
  var processes = "/proc"
  var groups = "/sys/fs/cgroup"

  /// The physical memory of the machine, or less if a control group of this process has a limit.
  var bytes: Int { min(Int(clamping: ProcessInfo.processInfo.physicalMemory), limit ?? .max) }

  /// The lowest limit of the control groups that contain this process; `nil` if there is none.
  var limit: Int? {
    guard let text = text(of: processes + "/self/cgroup") else { return nil }
    var limits: [Int] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      if parts[0] == "0" {
        // A group's limit applies to the groups in it. Inside a container the path may not exist, but the root does.
        var names = parts[2].split(separator: "/")
        while true {
          let folder = ([groups] + names.map(String.init)).joined(separator: "/")
          limits.append(contentsOf: number(in: folder + "/memory.max"))
          if names.popLast() == nil { break }
        }
      } else if parts[1].split(separator: ",").contains("memory") {
        for path in [String(parts[2]), ""] {
          limits.append(
            contentsOf: number(in: groups + "/memory" + path + "/memory.limit_in_bytes"))
        }
      }
    }
    return limits.min()
  }

  /// - Returns: an empty array for `max`.
  private func number(in path: String) -> [Int] {
    guard let text = text(of: path),
      let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), number > 0
    else { return [] }
    return [number]
  }

  private func text(of path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}
