import Memes
import Testing

struct RecipeTests {
  @Test func `a crop is four integers and survives a round trip`() throws {
    let crop = try Crop("0,40,640,480")
    #expect([crop.x, crop.y, crop.width, crop.height] == [0, 40, 640, 480])
    #expect(crop.description == "0,40,640,480")
    try crop.check(inside: PixelSize(width: 640, height: 520))
    for size in [PixelSize(width: 639, height: 520), PixelSize(width: 640, height: 519)] {
      #expect(throws: InvalidValue.self) { try crop.check(inside: size) }
    }
  }

  @Test(arguments: [
    "", ",", ",,,", "1,2,3", "1,2,3,4,5", "1,2,3,4,", "1, 2,3,4", "+1,2,3,4", "1.0,2,3,4",
    "a,b,c,d",
    "0x1,2,3,4", "9223372036854775808,0,1,1", "1;2;3;4", "NaN,0,1,1", "١,0,1,1",
  ])
  func `a text that is not four integers is not a crop`(text: String) {
    #expect { _ = try Crop(text) } throws: { ($0 as? InvalidValue)?.code == "invalid-crop" }
  }

  @Test(arguments: [
    "-1,0,1,1", "0,-1,1,1", "0,0,0,1", "0,0,1,0", "0,0,-5,1", "9223372036854775807,0,1,1",
    "0,1,1,9223372036854775807",
  ])
  func `an empty crop, or one beyond any picture, is rejected`(text: String) {
    #expect { _ = try Crop(text) } throws: { ($0 as? InvalidValue)?.code == "out-of-range" }
  }

  @Test func `a box lies within the picture`() {
    let inside: [[Double]] = [
      [0, 0, 1, 1], [1 / 3, 2 / 3, 2 / 3, 1 / 3], [0.99, 0.99, 0.01, 0.01], [0.1, 0.7, 0.9, 0.3],
    ]
    let outside: [[Double]] = [
      [0.5, 0, 0.6, 1], [0, 0.5, 1, 0.6], [0, 0, 0, 1], [0, 0, 1, 0.009], [-0.1, 0, 1, 1],
      [0, 1.1, 1, 1], [.nan, 0, 1, 1], [0, 0, .infinity, 1], [0, 0, 1, .nan],
    ]
    for (boxes, isOne) in [(inside, true), (outside, false)] {
      for box in boxes {
        let place = CaptionBox.Place(x: box[0], y: box[1], width: box[2], height: box[3])
        #expect((place != nil) == isOne, "\(box)")
      }
    }
  }

  @Test func `a box inherits the style that it does not set`() throws {
    var meme = CaptionStyle(fill: try Color("#ff0000"))
    (meme.size, meme.align, meme.font) = (0.3, .right, FontID(stored: "serif"))
    #expect(StyleChoices().over(meme) == meme)
    var choices = StyleChoices()
    (choices.font, choices.fill, choices.outline) = (.impact, .black, .white)
    (choices.outlineWidth, choices.size) = (0, 0.5)
    (choices.letterCase, choices.align) = (.typed, .left)
    var wanted = CaptionStyle(fill: .black, outline: .white)
    (wanted.outlineWidth, wanted.size, wanted.letterCase) = (0, 0.5, .typed)
    wanted.align = .left
    #expect(choices.over(meme) == wanted)
  }

  @Test func `defaults change with the layout, choices stay`() throws {
    var recipe = Recipe()
    #expect(recipe.style == CaptionStyle())
    recipe.layout = .bar
    #expect(recipe.style == .standard(for: .bar))
    #expect(recipe.style.fill == .black && recipe.style.outlineWidth == 0)
    // These equal the defaults of the other layout, but they are choices.
    (recipe.choices.fill, recipe.choices.size) = (.white, 0.3)
    #expect(recipe.style.fill == .white && recipe.style.outlineWidth == 0)
    recipe.layout = .overlay
    #expect(recipe.style.fill == .white && recipe.style.outlineWidth == 0.11)
    #expect(recipe.style.size == 0.3)
  }

  @Test func `captions are read in order, from edges or from boxes`() throws {
    var recipe = Recipe()
    (recipe.top, recipe.bottom) = (try CaptionText("a"), try CaptionText("b"))
    #expect(recipe.texts.map(\.text) == ["a", "b"])
    let place = try #require(CaptionBox.Place(x: 0, y: 0, width: 1, height: 1))
    recipe.captions = try ["c", "d", "e"].map {
      CaptionBox(text: try CaptionText($0), place: place)
    }
    #expect(AltText(describing: recipe.texts).text == "c – d – e")
  }
}
