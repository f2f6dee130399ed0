/// White bars above and below a picture, each as high as its text needs.
///
/// Use the bars only on the thread of the ``CaptionArtist`` that laid them out.
package struct CaptionBars {
  fileprivate let top: Bar?
  fileprivate let bottom: Bar?
  fileprivate let look: CaptionLook
  /// The outcome of each text, or `nil` if the text is blank.
  package let outcomes: (top: CaptionOutcome?, bottom: CaptionOutcome?)

  /// The bar's height in pixels; 0 if its text is blank or does not fit.
  package var above: Int { top?.height ?? 0 }
  package var below: Int { bottom?.height ?? 0 }

  fileprivate struct Bar {
    let caption: CaptionArtist.LaidOutCaption
    /// The box of the text in the bar.
    let box: InkBox
    let height: Int
  }
}

extension CaptionArtist {
  /// Lays texts out in bars around a picture of this size.
  ///
  /// Font sizes are the same fractions of the picture's height as for captions on the picture, and a text gets as much
  /// room. So a bar takes at most 30 % of the picture's height, margins included.
  ///
  /// - Parameter sameSize: whether both texts have the size of the smaller one.
  package func bars(
    above top: String, below bottom: String, look: CaptionLook, sameSize: Bool = false,
    width: Int, height: Int
  ) -> CaptionBars {
    let room = InkBox(.top, inPictureOfWidth: width, height: height)
    let look = look.widened(forWidth: width, height: height)
    func laidOut(_ limit: Double?) -> [LaidOutCaption?] {
      let bounds = SizeBounds(look: look, width: width, height: height, limit: limit)
      return [top, bottom].map { set($0, look: look, box: room, bounds: bounds) }
    }
    func bar(_ caption: LaidOutCaption?) -> CaptionBars.Bar? {
      guard let caption, let fit = caption.fit else { return nil }
      let inkHeight = Int(fit.height.rounded(.up))
      return CaptionBars.Bar(
        caption: caption,
        box: InkBox(left: room.left, top: room.top, width: room.width, height: inkHeight),
        height: room.top + inkHeight + room.top)
    }
    var captions = laidOut(nil)
    let sizes = captions.compactMap(\.?.fit?.size)
    if sameSize, let smallest = sizes.min(), sizes.contains(where: { $0 > smallest }) {
      captions = laidOut(smallest)
    }
    return CaptionBars(
      top: bar(captions[0]), bottom: bar(captions[1]), look: look,
      outcomes: (captions[0]?.outcome, captions[1]?.outcome))
  }

  /// Draws the texts of bars that are already part of the picture, as its first and last rows.
  package func draw(_ bars: CaptionBars, on picture: PixelBuffer) throws(ImagingError) {
    if let bar = bars.top {
      try paint(bar.caption, in: bar.box, at: .top, look: bars.look, on: picture)
    }
    if let bar = bars.bottom {
      let box = InkBox(
        left: bar.box.left, top: picture.height - bar.height + bar.box.top, width: bar.box.width,
        height: bar.box.height)
      try paint(bar.caption, in: box, at: .top, look: bars.look, on: picture)
    }
  }
}
