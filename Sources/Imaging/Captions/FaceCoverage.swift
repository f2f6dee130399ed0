import CPangoCairo

/// The letters that a face has itself. Other fonts draw the rest.
package struct FaceCoverage: Sendable, Equatable {
  /// Whether the face draws the letters a to z in lower case. `false` if it lacks one of them, or draws them as
  /// capitals or small capitals.
  package let hasLowercase: Bool
  /// ISO 15924 codes, sorted: the recommended scripts of Unicode (UAX #31, Table 5) of which the face has every letter
  /// in ``samples``.
  package let scripts: [String]

  /// Letters that texts in a script need. Capitals, if the script has them, because some fonts lack lower case.
  ///
  /// Alphabets are complete: fonts for Latin have a few Greek letters for mathematics. The Han characters are those
  /// that Chinese (traditional and simplified), Japanese and Korean have in common.
  static let samples: [(script: String, letters: String)] = [
    ("Arab", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    ("Armn", "ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ"),
    ("Beng", "অআইউএওকখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ"),
    ("Bopo", "ㄅㄆㄇㄈㄉㄊㄋㄌㄍㄎㄏㄐㄑㄒㄓㄔㄕㄖㄗㄘㄙㄚㄛㄜㄝㄞㄟㄠㄡㄢㄣㄤㄥㄦㄧㄨㄩ"),
    ("Cyrl", "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"),
    ("Deva", "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह"),
    ("Ethi", "ሀለሐመሠረሰሸቀበተቸኀነኘአከወዐዘየደጀገጠጨጸፈፐ"),
    ("Geor", "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"),
    ("Grek", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"),
    ("Gujr", "અઆઇઈઉઊએઐઓઔકખગઘચછજઝટઠડઢણતથદધનપફબભમયરલવશષસહ"),
    ("Guru", "ਅਆਇਈਉਊਏਐਓਔਕਖਗਘਚਛਜਝਟਠਡਢਣਤਥਦਧਨਪਫਬਭਮਯਰਲਵਸਹ"),
    ("Hang", "가나다라마바사아자차카타파하각난달람합것는을입니습"),
    ("Hani", "一二三上下大小中人口日月水火山川天心手文好"),
    ("Hebr", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"),
    ("Hira", "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"),
    ("Kana", "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"),
    ("Khmr", "កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរលវសហឡអ"),
    ("Knda", "ಅಆಇಈಉಊಎಏಐಒಓಔಕಖಗಘಚಛಜಝಟಠಡಢಣತಥದಧನಪಫಬಭಮಯರಲವಶಷಸಹ"),
    ("Laoo", "ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫອຮ"),
    ("Latn", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("Mlym", "അആഇഈഉഊഎഏഐഒഓഔകഖഗഘചഛജഝടഠഡഢണതഥദധനപഫബഭമയരലവശഷസഹ"),
    ("Mymr", "ကခဂဃငစဆဇဈညဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟဠအ"),
    ("Orya", "ଅଆଇଈଉଊଏଐଓଔକଖଗଘଚଛଜଝଟଠଡଢଣତଥଦଧନପଫବଭମଯରଲଶଷସହ"),
    ("Sinh", "අආඉඊඋඌඑඒඔඕකඛගඝචඡජටඨඩඪණතථදධනපඵබභමයරලවශෂසහළ"),
    ("Taml", "அஆஇஈஉஊஎஏஐஒஓஔகஙசஞடணதநபமயரலவழளறன"),
    ("Telu", "అఆఇఈఉఊఎఏఐఒఓఔకఖగఘచఛజఝటఠడఢణతథదధనపఫబభమయరలవశషసహ"),
    ("Thaa", "ހށނރބޅކއވމފދތލގޏސޑޒޓޔޕޖޗ"),
    ("Thai", "กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"),
    ("Tibt", "ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཝཞཟའཡརལཤསཧཨ"),
  ]
}

extension CaptionArtist {
  /// Returns the letters that the installed font of the face has. Takes about a millisecond.
  package func coverage(of face: CaptionFace) -> FaceCoverage {
    let loaded = face.description.withPango(pixels: 100) { pango_context_load_font(context, $0) }
    guard let loaded else { return FaceCoverage(hasLowercase: false, scripts: []) }
    defer { g_object_unref(loaded) }
    let font = GlyphSource(hb_font_get_face(pango_font_get_hb_font(loaded)))
    return FaceCoverage(
      hasLowercase: font.hasLowercase,
      scripts: FaceCoverage.samples.filter { font.has($0.letters) }.map(\.script))
  }
}

/// The glyphs of a font file, without those of fallback fonts. HarfBuzz reads the file, and cairo rasterizes nothing.
private final class GlyphSource {
  private let font: OpaquePointer?

  init(_ face: OpaquePointer?) { font = hb_font_create(face) }

  deinit { hb_font_destroy(font) }

  func has(_ letters: String) -> Bool { letters.unicodeScalars.allSatisfy { glyph($0) != nil } }

  /// Real lower case is higher in b, d, h, k and l than in u, v, w, x and z. Capitals and small capitals have one
  /// height.
  var hasLowercase: Bool {
    guard has("abcdefghijklmnopqrstuvwxyz") else { return false }
    return meanTop("bdhkl") > 1.1 * meanTop("uvwxz")
  }

  /// The mean height of the ink above the baseline, in units of the font.
  private func meanTop(_ letters: String) -> Double {
    let tops = letters.unicodeScalars.compactMap(glyph).map { glyph in
      var extents = hb_glyph_extents_t()
      hb_font_get_glyph_extents(font, glyph, &extents)
      return Double(extents.y_bearing)
    }
    return tops.reduce(0, +) / Double(max(tops.count, 1))
  }

  private func glyph(_ letter: Unicode.Scalar) -> hb_codepoint_t? {
    var glyph = hb_codepoint_t()
    return hb_font_get_nominal_glyph(font, letter.value, &glyph) != 0 ? glyph : nil
  }
}
