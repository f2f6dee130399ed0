import Foundation
import Testing
import Wire

@testable import MemeMeClient

/// Merging edits, and comparing them with a meme.
struct MemeEditTests {
  private let box = CaptionBox("x\r\ny", x: 0, y: 0, width: 1, height: 0.5)

  @Test func `the later of two edits wins for each field`() {
    var first = MemeEdit(top: "a", bottom: "b")
    first.fill = .set("#ff0000")
    first.altText = .set("x")
    var second = MemeEdit(top: "c")
    second.altText = .reset
    let both = first.followed(by: second)
    #expect(both.top == .set("c") && both.bottom == .set("b"))
    #expect(both.fill == .set("#ff0000") && both.altText == .reset)
    #expect(first.followed(by: MemeEdit()) == first && MemeEdit().followed(by: first) == first)
  }

  @Test func `edge captions and boxes replace each other`() {
    var boxes = MemeEdit()
    boxes.captions = .set([box])
    let edges = MemeEdit(top: "a")
    #expect(edges.followed(by: boxes) == boxes)
    // Says that the boxes and the bottom caption are gone: a later edit may remove the text again.
    var replaced = MemeEdit(top: "a", bottom: "")
    replaced.captions = .set([])
    #expect(boxes.followed(by: edges) == replaced)
    replaced.top = .set("")
    #expect(boxes.followed(by: edges).followed(by: MemeEdit(top: "")) == replaced)
    #expect(edges.followed(by: MemeEdit(top: "")).captions == .reset)
    #expect(edges.followed(by: MemeEdit(bottom: "b")) == MemeEdit(top: "a", bottom: "b"))
    #expect(boxes.followed(by: MemeEdit(top: "")).captions == .set([box]))
  }

  @Test func `an edit made from fields has every chosen field`() {
    var fields = MemeFields(top: "a", bottom: "b", captions: [box], visibility: .friends)
    fields.altText = "x"
    fields.maxEdge = 100
    fields.format = .png
    fields.layout = .bar
    fields.font = "anton"
    fields.fill = "#123456"
    fields.outline = "#654321"
    fields.outlineWidth = 0.1
    fields.size = 0.2
    fields.case = .typed
    fields.align = .left
    fields.crop = Crop(x: 1, y: 2, width: 3, height: 4)
    #expect(MemeEdit(fields).fields == fields)
  }

  @Test func `an edit is done if the meme has equivalent values`() throws {
    var meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID(), top: "a", bottom: "b").utf8))
    var edit = MemeEdit(top: "a")
    edit.fill = .set("#FFFFFF")
    edit.format = .set(.jpeg)
    edit.crop = .reset
    edit.visibility = .reset
    #expect(edit.isIn(meme))
    #expect(MemeEdit().isIn(meme))
    meme.top = "x\ny"
    #expect(!edit.isIn(meme) && MemeEdit(top: "x\r\ny").isIn(meme))
    var boxes = MemeEdit()
    boxes.captions = .set([box])
    var written = box
    (written.text, written.rotation, written.verticalAlign) = ("x\ny", 0, .middle)
    #expect(!boxes.isIn(meme))
    meme.captions = [written]
    #expect(boxes.isIn(meme))
    // Fields that the meme does not show do not count as done.
    var edge = MemeEdit()
    edge.maxEdge = .set(100)
    var altText = MemeEdit()
    altText.altText = .reset
    #expect(!edge.isIn(meme) && !altText.isIn(meme))
  }

  @Test func `an edit is done if the meme has its tags in the server's form`() throws {
    var meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID(), top: "a").utf8))
    meme.tags = ["cat", "dog-days"]
    var edit = MemeEdit()
    edit.tags = .set(["##Cat", "Dog-Days", "cat", "ＣＡＴ", "c\u{200D}at", "d\u{34F}og-days"])
    #expect(edit.isIn(meme))
    #expect(meme.with(edit).tags == meme.tags)
    edit.tags = .set(["dog-days", "cat"])
    #expect(!edit.isIn(meme))
    meme.tags = ["οδος"]
    edit.tags = .set(["ΟΔΟΣ", "οδοσ"])
    #expect(edit.isIn(meme))
  }

  @Test func `an empty alt text is a reset`() throws {
    var meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID(), top: "a").utf8))
    var edit = MemeEdit()
    edit.altText = .set("")
    #expect(!edit.isIn(meme))
    #expect(meme.with(edit).altText == meme.altText)
    meme.altText = "a"
    #expect(edit.isIn(meme))
  }

  @Test func `a later edit keeps the pictures of an earlier one`() {
    let (place, other) = (
      PictureBox(x: 0, y: 0, width: 1, height: 1), PictureBox(x: 0.5, y: 0, width: 0.5, height: 1)
    )
    let (first, second) = (Upload.ID(), Upload.ID())
    var (earlier, later) = (MemeEdit(), MemeEdit())
    earlier.pictures = .set([
      PictureBox.New(.upload(first), in: place), PictureBox.New(.upload(second), in: place),
    ])
    later.pictures = .set([PictureBox.New(.kept(1), in: other)])
    #expect(
      earlier.followed(by: later).pictures == .set([PictureBox.New(.upload(second), in: other)]))
    // Pictures that only the server has are named by their first index.
    earlier.pictures = .set([PictureBox.New(.kept(2), in: place)])
    later.pictures = .set([PictureBox.New(.kept(0), in: other)])
    #expect(earlier.followed(by: later).pictures == .set([PictureBox.New(.kept(2), in: other)]))
    #expect(earlier.followed(by: MemeEdit()).pictures == earlier.pictures)
    later.pictures = .reset
    #expect(earlier.followed(by: later).pictures == .reset)
    earlier.pictures = .keep
    later.pictures = .set([PictureBox.New(.kept(1), in: other)])
    #expect(earlier.followed(by: later).pictures == later.pictures)
  }

  @Test func `kept pictures get the indices of their boxes in another state of the meme`() throws {
    let boxes = [0, 0.2, 0.2].map { PictureBox(x: $0, y: 0, width: 0.1, height: 0.1) }
    var meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID()).utf8))
    meme.pictures = boxes
    var other = meme
    other.pictures = [boxes[1], boxes[2], boxes[0]]
    var edit = MemeEdit(top: "a")
    #expect(edit.keepingPictures(of: nil, in: other) == edit)
    let added = PictureBox.New(.upload(Upload.ID()), in: boxes[0])
    edit.pictures = .set([added, PictureBox.New(.kept(0), in: boxes[1])])
    var moved = edit
    moved.pictures = .set([added, PictureBox.New(.kept(2), in: boxes[1])])
    #expect(edit.keepingPictures(of: meme, in: other) == moved)
    #expect(edit.keepingPictures(of: meme, in: meme) == edit)
    #expect(edit.keepingPictures(of: nil, in: meme) == nil)
    // Two pictures are in the same place.
    edit.pictures = .set([PictureBox.New(.kept(1), in: boxes[1])])
    #expect(edit.keepingPictures(of: meme, in: other) == nil)
    #expect(edit.keepingPictures(of: meme, in: meme) == edit)
  }

  @Test func `a reset is done if the meme has the default values`() throws {
    var meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID(), top: #" a\tcat "#, bottom: #"b\nc"#).utf8)
    )
    var edit = MemeEdit()
    edit.altText = .reset
    (edit.layout, edit.sameSize, edit.pictures) = (.reset, .reset, .reset)
    #expect(!edit.isIn(meme))
    meme.altText = "a cat – b c"
    #expect(edit.isIn(meme))
    meme.style.layout = .bar
    #expect(!edit.isIn(meme))
    (meme.style.layout, meme.style.sameSize) = (.overlay, true)
    #expect(!edit.isIn(meme))
    (meme.style.sameSize, meme.pictures) = (false, [])
    #expect(edit.isIn(meme))
    // Only the server knows its default style.
    edit.size = .reset
    #expect(!edit.isIn(meme))
    var altText = MemeEdit()
    altText.altText = .reset
    (meme.top, meme.bottom, meme.altText) = (" ", "", "A picture without a caption.")
    #expect(altText.isIn(meme))
    meme.captions = [box]
    #expect(!altText.isIn(meme))
    meme.altText = "x y"
    #expect(altText.isIn(meme))
  }

  @Test func `a pending edit is shown over the meme`() throws {
    let meme = try JSONDecoder.mememe.decode(
      Meme.self, from: Data(LibraryScript.meme(Meme.ID(), top: "a", bottom: "b").utf8))
    var edit = MemeEdit(bottom: "c")
    edit.fill = .set("#ff0000")
    edit.visibility = .set(.onlyMe)
    let shown = meme.with(edit)
    #expect(shown.top == "a" && shown.bottom == "c" && shown.style.fill == "#ff0000")
    #expect(shown.visibility == .onlyMe && shown.version == meme.version)
    var boxes = MemeEdit()
    boxes.captions = .set([box])
    #expect(meme.with(boxes).captions == [box] && meme.with(boxes).top.isEmpty)
    #expect(meme.with(boxes).with(edit).captions.isEmpty)
  }
}
