/// Between which font sizes a caption may shrink, in pixels.
struct SizeBounds {
  let largest: Double
  /// Below this a long word is rather broken than kept whole.
  let readable: Double
  /// Below this it is broken if that makes it much larger.
  let comfortable: Double
  /// Below this the end of the text is rather left out.
  let smallest: Double

  init(look: CaptionLook, width: Int, height: Int) {
    let edge = Double(min(width, height))
    // A panorama is looked at by its width: letters of a share of its height would be tiny.
    largest = look.size * max(Double(height), 0.3 * Double(width))
    readable = min(largest, max(12, edge * 0.045))
    comfortable = min(largest, max(16, edge * 0.07))
    smallest = min(largest, max(8, edge * 0.022))
  }
}

extension CaptionFitter {
  /// The whole text, as large as it can be read; `nil` if it does not fit even at the smallest size.
  func whole(in bounds: SizeBounds) -> Fit? {
    let sizes = bounds.smallest...bounds.largest
    guard let unbroken = largestOfWords(in: sizes) else { return largestOfLetters(in: sizes) }
    let isReadable = unbroken.size >= bounds.readable
    // A few pixels are not worth a broken word.
    let gain = isReadable ? 1.5 : 1.2
    if !isReadable || unbroken.size < bounds.comfortable && isHeldByWord(unbroken),
      let broken = largestOfLetters(in: sizes), broken.size >= unbroken.size * gain
    {
      return broken
    }
    // Lines that somebody typed are worth some size.
    if isReadable, let typed = asTyped(in: bounds), typed.size * 1.3 > unbroken.size {
      return typed
    }
    return unbroken
  }

  /// Whether a word alone takes the width of the box, or nearly so: only then breaking words can make the text much larger.
  private func isHeldByWord(_ fit: Fit) -> Bool {
    let map = layout.breakMap
    let widest = (0..<map.wordCount).map { map.width(ofWords: $0..<$0 + 1) }.max() ?? 0
    return (widest + pen) * fit.size > 0.9 * width
  }

  /// Several lines as they were typed, none wrapped; `nil` for a text of one line, which wraps as it likes.
  private func asTyped(in bounds: SizeBounds) -> Fit? {
    layout.breakMap.typed.isEmpty ? nil : typed(in: bounds.readable...bounds.largest)
  }

  /// As many of the first characters as fit at `size`, with an ellipsis; `nil` if not even one does. It ends with a word,
  /// unless much more would fit.
  func beginning(of text: String, at size: Double) -> Fit? {
    let characters = Array(text)
    func fit(_ count: Int) -> Fit? {
      var kept = characters.prefix(count)
      while kept.last?.isWhitespace == true { kept.removeLast() }
      layout.setText(String(kept) + layout.ellipsis)
      return largestOfLetters(in: size...size)
    }
    var (low, high) = (0, characters.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if fit(middle) != nil { low = middle } else { high = middle }
    }
    if low < characters.count, !characters[low].isWhitespace,
      let end = characters[..<low].lastIndex(where: \.isWhitespace), end * 3 > low * 2,
      let whole = fit(end)
    {
      return whole
    }
    return low > 0 ? fit(low) : nil
  }
}
