import Imaging
import Memes
import Rendering

extension JobNeed {
  /// - Parameters:
  ///   - output: the size of what is made.
  ///   - formats: those that it may become.
  ///   - recipe: the captions that are drawn.
  static func still(
    _ header: PictureHeader, output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe? = nil
  ) -> JobNeed {
    JobNeed(
      bytes: JobMemory.still(header, output: output, formats),
      cost: JobCost.still(header, output: output, formats, recipe))
  }

  /// Of pixels that are there.
  static func made(
    _ output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe
  ) -> JobNeed {
    JobNeed(
      bytes: JobMemory.made(output, formats, hasAlpha: true),
      cost: JobCost.made(output, formats, recipe))
  }

  /// - Parameter frame: the size of each frame that is made.
  static func moving(
    _ header: PictureHeader, frame: PixelSize, as format: OutputFormat, _ recipe: Recipe? = nil
  ) -> JobNeed {
    JobNeed(
      bytes: JobMemory.moving(header, frame: frame, as: format),
      cost: JobCost.moving(header, frame: frame, as: format, recipe))
  }
}
