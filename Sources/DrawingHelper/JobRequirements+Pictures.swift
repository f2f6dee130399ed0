import Imaging
import Memes
import Rendering

extension JobRequirements {
  /// - Parameters:
  ///   - output: the size of the resulting picture.
  ///   - formats: the formats that it may be encoded in.
  ///   - recipe: the captions to draw.
  static func still(
    _ header: PictureHeader, output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe? = nil
  ) -> JobRequirements {
    JobRequirements(
      bytes: JobMemory.still(header, output: output, formats),
      cost: JobCost.still(header, output: output, formats, recipe))
  }

  /// The resources for drawing on pixels that are already decoded.
  static func made(
    _ output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe
  ) -> JobRequirements {
    JobRequirements(
      bytes: JobMemory.made(output, formats, hasAlpha: true),
      cost: JobCost.made(output, formats, recipe))
  }

  /// The resources for a picture in a box.
  ///
  /// - Parameters:
  ///   - drawn: the size to which it is decoded.
  ///   - output: the size of the picture that it is drawn on.
  ///   - need: the resources of the picture that it is drawn on, which a smaller claim would give back.
  static func boxed(
    _ header: PictureHeader, drawn: PixelSize, on output: PixelSize, within need: JobRequirements
  ) -> JobRequirements {
    JobRequirements(
      // The decoded pixels and their copy for Cairo.
      bytes: need.bytes + JobMemory.still(header, output: drawn, [.png]),
      cost: JobCost.boxed(header, drawn: drawn, on: output))
  }

  /// - Parameter frame: the size of each output frame.
  static func moving(
    _ header: PictureHeader, frame: PixelSize, as format: OutputFormat, _ recipe: Recipe? = nil
  ) -> JobRequirements {
    JobRequirements(
      bytes: JobMemory.moving(header, frame: frame, as: format),
      cost: JobCost.moving(header, frame: frame, as: format, recipe))
  }
}
