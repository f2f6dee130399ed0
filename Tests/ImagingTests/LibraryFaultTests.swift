#if os(Linux)
  import Bytes
  import Foundation
  import Testing

  @testable import Imaging

  /// That what `CLibraryFaults` defines stands before the libraries' own. A race itself cannot be had when it is wanted.
  struct LibraryFaultTests {
    /// The versions that have the faults. Others may end their idle threads.
    private static let isAffected = ["8.14.", "8.15."].contains { Vips.version.hasPrefix($0) }
    /// Set by `script/test --long`.
    private static let isLong = ProcessInfo.processInfo.environment["TEST_LONG"] != nil

    /// The threads of libvips in this process, by their numbers.
    private static func threads() throws -> Set<String> {
      let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      return Set(
        all.filter { number in
          // The kernel keeps 15 letters of a name. One may have ended by now.
          let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
          return name?.hasPrefix("libvips worker") ?? false
        })
    }

    /// Several at once, for other tests may keep some threads busy.
    private static func savePictures() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let picture = PixelBuffer()
            try picture.clear(width: 1000, height: 1000)
            _ = try PictureEncoder.png(picture)
          }
        }
        try await group.waitForAll()
      }
    }

    @Test(.enabled(if: isAffected && isLong))
    func
      `a thread of libvips with nothing to do does not end, so that none ends while it is given work`()
      async throws
    {
      try await Self.savePictures()
      let threads = try Self.threads()
      #expect(!threads.isEmpty)
      // libvips would end them after 15 seconds.
      try await Task.sleep(for: .seconds(17))
      #expect(try Self.threads().isSuperset(of: threads))
    }

    /// The wait of an idle thread, and the programs of Orc.
    @Test(
      .enabled(if: isAffected),
      arguments: [
        ("libvips.so.42", "vips_semaphore_down_timeout"),
        ("liborc-0.4.so.0", "orc_program_compile"), ("liborc-0.4.so.0", "orc_program_free"),
      ])
    func `calls into a library go to the definition of this program`(
      library: String, function: String
    ) throws {
      let handle = try #require(dlopen(library, RTLD_NOW | RTLD_NOLOAD))
      defer { dlclose(handle) }
      // Found in the order in which libvips' own calls are bound: the program first, then its libraries.
      let bound = try #require(dlsym(nil, function))
      let own = try #require(dlsym(handle, function))
      #expect(bound != own)
    }
  }
#endif
