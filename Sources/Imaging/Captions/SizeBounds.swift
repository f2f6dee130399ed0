/// The limits between which a caption's font size may shrink, in pixels.
struct SizeBounds {
  /// The size that the look asks for.
  let wanted: Double
  let largest: Double
  /// Below this size, it is better to split a long word than to keep it whole.
  let readable: Double
  /// Below this size, a long word is split if that makes the text much larger.
  let comfortable: Double
  /// Below this size, it is better to omit the end of the text.
  let smallest: Double

  /// - Parameter limit: a limit on the size in pixels; `nil` for none.
  init(look: CaptionLook, width: Int, height: Int, limit: Double? = nil) {
    let edge = Double(min(width, height))
    // A panorama is viewed at its full width: letters in proportion to its height would be tiny.
    wanted = look.size * max(Double(height), 0.3 * Double(width))
    largest = min(wanted, limit ?? wanted)
    readable = min(largest, max(12, edge * 0.045))
    comfortable = min(largest, max(16, edge * 0.07))
    smallest = min(largest, max(8, edge * 0.022))
  }
}

extension CaptionFitter {
  /// Fits the whole text as large and readable as possible. Returns `nil` if it does not fit even at the smallest size.
  func whole(in bounds: SizeBounds) -> Fit? {
    let sizes = bounds.smallest...bounds.largest
    guard let unbroken = largestOfWords(in: sizes) else { return largestOfLetters(in: sizes) }
    let isReadable = unbroken.size >= bounds.readable
    // A gain of a few pixels does not justify a split word.
    let gain = isReadable ? 1.5 : 1.2
    if !isReadable || unbroken.size < bounds.comfortable && isHeldByWord(unbroken),
      let broken = largestOfLetters(in: sizes), broken.size >= unbroken.size * gain
    {
      return broken
    }
    // Keep typed lines even if they make the text somewhat smaller.
    if isReadable, let typed = asTyped(in: bounds), typed.size * 1.3 > unbroken.size {
      return typed
    }
    // With a limit, other texts have exactly this size.
    guard bounds.largest == bounds.wanted else { return unbroken }
    let least = isReadable ? bounds.readable : bounds.smallest
    return moreEven(than: unbroken, in: least...bounds.largest) ?? unbroken
  }

  /// Whether a single word takes nearly the whole width of the box. Only then can splitting words make
  /// the text much larger.
  private func isHeldByWord(_ fit: Fit) -> Bool {
    let map = layout.breakMap
    let widest = (0..<map.wordCount).map { map.width(ofWords: $0..<$0 + 1) }.max() ?? 0
    return (widest + pen) * fit.size > 0.9 * width
  }

  /// Fits several typed lines without wrapping. Returns `nil` for a text of one line, which may always wrap.
  private func asTyped(in bounds: SizeBounds) -> Fit? {
    layout.breakMap.typed.isEmpty ? nil : typed(in: bounds.readable...bounds.largest)
  }

  /// Fits as many of the first characters as possible at `size`, followed by an ellipsis. Returns `nil` if not even one
  /// fits. The text ends with a whole word unless much more would fit.
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
