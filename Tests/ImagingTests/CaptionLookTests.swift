import Bytes
import Testing

@testable import Imaging

/// Checks that captions are drawn as their look demands.
struct CaptionLookTests {
  private let box = InkBox(.top, inPictureOfWidth: 600, height: 400)

  private func draw(_ text: String, _ change: (inout CaptionLook) -> Void) throws -> PixelBuffer {
    let picture = TestPictures.plain(width: 600, height: 400)
    var look = CaptionLook()
    change(&look)
    _ = try CaptionArtist().draw(text, at: .top, look: look, on: picture)
    return picture
  }

  @Test func `lines are aligned left, right or centered`() throws {
    let left = try #require(try draw("a\nlong line") { $0.alignment = .left }.inkColumns)
    #expect(left.lowerBound == box.left)
    #expect(left.upperBound < box.left + box.width - 20)
    let right = try #require(try draw("a\nlong line") { $0.alignment = .right }.inkColumns)
    #expect(right.upperBound == box.left + box.width)
    #expect(right.lowerBound > box.left + 20)
    let centre = try #require(try draw("a\nlong line") { _ in }.inkColumns)
    #expect(abs(centre.lowerBound + centre.upperBound - 600) <= 2)
  }

  @Test(arguments: [CaptionLook.Alignment.left, .right])
  func `a short line is aligned with the long one`(side: CaptionLook.Alignment) throws {
    let picture = try draw("III\nIIIIIIIII") { $0.alignment = side }
    let first = try #require(picture.inkColumns(rows: box.top..<box.top + 20))
    let whole = try #require(picture.inkColumns)
    if side == .left {
      #expect(abs(first.lowerBound - whole.lowerBound) <= 1)
    } else {
      #expect(abs(first.upperBound - whole.upperBound) <= 1)
    }
    #expect(first.count < whole.count / 2)
  }

  @Test func `letters are capitals or as typed`() throws {
    let capitals = try draw("Straße é") { _ in }
    #expect(try draw("STRASSE É") { _ in }.shows(capitals))
    #expect(try draw("STRASSE É") { $0.letters = .asTyped }.shows(capitals))
    // A face that has only capitals draws small letters like capitals, but it has no ß that looks like SS.
    #expect(try !draw("Straße é") { $0.letters = .asTyped }.shows(capitals))
    #expect(CaptionWords.prepare(" Straße\té ", .asTyped) == "Straße é")
  }

  @Test func `an outline width of 0 draws none, and a greater width draws more`() throws {
    func black(_ width: Double) throws -> Int {
      try draw("HHHH") { $0.outlineWidth = width }.count(of: [0, 0, 0])
    }
    #expect(try black(0) == 0)
    let (thin, wide) = (try black(0.05), try black(0.3))
    #expect(thin > 0)
    #expect(wide > 2 * thin)
  }

  @Test func `the size is as requested if it fits`() throws {
    let picture = TestPictures.plain(width: 600, height: 400)
    var look = CaptionLook()
    for size in [0.02, 0.1, 0.2] {
      look.size = size
      let outcome = try #require(
        try CaptionArtist().draw("a", at: .top, look: look, on: picture))
      #expect(outcome.fontSize == size * 400)
      #expect(!outcome.isShrunk)
    }
  }
}

extension PixelBuffer {
  /// Whether the pixels are equal. Keeps both buffers alive during the comparison.
  fileprivate func shows(_ other: PixelBuffer) -> Bool {
    withExtendedLifetime((self, other)) { pixels.elementsEqual(other.pixels) }
  }

  /// The columns that differ from the gray of ``TestPictures/plain(width:height:level:channels:)``.
  fileprivate var inkColumns: Range<Int>? { inkColumns(rows: 0..<height) }

  fileprivate func inkColumns(rows: Range<Int>) -> Range<Int>? {
    let inked = (0..<width).filter { x in rows.contains { colour(x, $0) != [128, 128, 128] } }
    guard let first = inked.first, let last = inked.last else { return nil }
    return first..<last + 1
  }

  fileprivate func count(of wanted: [UInt8]) -> Int {
    (0..<height).reduce(0) { sum, y in sum + (0..<width).count { colour($0, y) == wanted } }
  }
}
