import Bytes
import Testing

@testable import Memes

struct DraftDigestTests {
  /// Not SHA-256, but it depends on every byte and its position.
  private static let digester: Digester = { bytes in
    var state: [UInt8] = Array(0..<32)
    bytes.withUnsafeBytes {
      for (index, byte) in $0.enumerated() {
        state[index % 32] = state[index % 32] &* 31 &+ state[(index + 31) % 32] &+ byte
      }
    }
    guard let digest = Digest(state) else { preconditionFailure("32 bytes are a digest") }
    return digest
  }

  private let picture = digester(Bytes([1, 2, 3]))

  private func digest(_ choices: StyleChoices) throws -> Digest {
    var recipe = Recipe()
    (recipe.top, recipe.choices) = (try CaptionText("top"), choices)
    return digest(recipe)
  }

  private func digest(_ recipe: Recipe) -> Digest {
    MemeDraft(picture: .image(Bytes([1, 2, 3])), recipe: recipe).digest(
      picture: picture, Self.digester)
  }

  @Test func `a draft without style choices has the same digest as before styles existed`() throws {
    let parts = [picture.hexadecimal, "top", "", "#ffffff", "#000000", "", "", ""]
    #expect(try digest(StyleChoices()) == Digest(of: parts, Self.digester))
    var standard = StyleChoices()
    (standard.fill, standard.size) = (.white, 0.14)
    #expect(try digest(standard) == Digest(of: parts, Self.digester))
  }

  @Test func `every style choice changes the digest`() throws {
    let changes: [(inout StyleChoices) -> Void] = [
      { _ in }, { $0.font = FontID(stored: "comic") }, { $0.fill = .black },
      { $0.outline = .white }, { $0.outlineWidth = 0 }, { $0.outlineWidth = 0.2 },
      { $0.size = 0.2 }, { $0.letterCase = .typed }, { $0.align = .left }, { $0.align = .right },
    ]
    let digests = try changes.map { change in
      var choices = StyleChoices()
      change(&choices)
      return try digest(choices)
    }
    #expect(Set(digests).count == changes.count)
  }

  @Test func `every recipe choice changes the digest`() throws {
    let place = try #require(CaptionBox.Place(x: 0, y: 0, width: 0.5, height: 0.5))
    let other = try #require(CaptionBox.Place(x: 0.5, y: 0, width: 0.5, height: 0.5))
    let box = CaptionBox(text: try CaptionText("a"), place: place)
    func boxes(_ change: (inout CaptionBox) -> Void) -> Recipe {
      var recipe = Recipe()
      var changed = box
      change(&changed)
      recipe.captions = [box, changed]
      return recipe
    }
    var recipes = [
      Recipe(), boxes { _ in }, boxes { $0.text = .empty }, boxes { $0.place = other },
      boxes { $0.rotation = 5 }, boxes { $0.verticalAlign = .top },
      boxes { $0.style.font = .impact }, boxes { $0.style.fill = .white },
      boxes { $0.style.outline = .white }, boxes { $0.style.outlineWidth = 0.11 },
      boxes { $0.style.size = 0.14 }, boxes { $0.style.letterCase = .upper },
      boxes { $0.style.align = .center },
    ]
    var recipe = Recipe()
    recipe.captions = [box]
    recipes.append(recipe)
    recipe = Recipe()
    recipe.layout = .bar
    recipes.append(recipe)
    recipe = Recipe()
    recipe.crop = try Crop(x: 0, y: 0, width: 1, height: 1)
    recipes.append(recipe)
    recipe = Recipe()
    recipe.maxEdge = try MaxEdge(pixels: 100)
    recipes.append(recipe)
    #expect(Set(recipes.map { digest($0) }).count == recipes.count)
  }
}
