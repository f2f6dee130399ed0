import Bytes
import Imaging
import Testing

/// The mean difference of two pictures' samples, from 0 to 255, after the larger one is scaled down.
func meanDifference(_ one: [UInt8], _ other: [UInt8]) throws -> Double {
  let pictures = try [one, other].map { file in
    let pixels = PixelBuffer()
    let header = try PictureHeader(of: Bytes(file), maximumPixels: 100_000_000)
    try PictureDecoder.decode(Bytes(file), header: header, maximumEdge: 20_000, into: pixels)
    return pixels
  }
  let edge = pictures.map { max($0.width, $0.height) }.min() ?? 0
  let scaled = try pictures.map { picture in
    let small = PixelBuffer()
    try picture.scale(toFit: edge, into: small)
    return small
  }
  try #require(
    (scaled[0].width, scaled[0].height, scaled[0].channels)
      == (scaled[1].width, scaled[1].height, scaled[1].channels))
  let differences = zip(scaled[0].pixels, scaled[1].pixels).map { abs(Int($0) - Int($1)) }
  return Double(differences.reduce(0, +)) / Double(differences.count)
}
