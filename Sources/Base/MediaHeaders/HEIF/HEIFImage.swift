import Base

/// An image of a HEIF file: one coded image, or a grid of them.
package struct HEIFImage: Sendable, Equatable {
    /// The largest side that is accepted, in pixels. Codecs support 65,536. Products of such sides do not overflow.
    package static let maxSide = 1 << 30
    /// Returns whether both sides are within 1…`maxSide`.
    static func accepts(_ size: PixelSize) -> Bool {
        (1...maxSide).contains(size.width) && (1...maxSide).contains(size.height)
    }

    /// The maximum number of tiles of one grid.
    package static let maxTiles = 1_024

    package enum Codec: String, Sendable, Equatable, CaseIterable {
        case hevc = "hvc1"
        case av1 = "av01"
        case jpeg
    }

    /// The resolution of the chroma planes, as the codec's configuration states it.
    package enum Sampling: Sendable, Equatable {
        case gray
        case yuv420
        case yuv422
        case yuv444
    }

    package var codec: Codec
    /// The width of the decoded image in pixels, before `framing`. A grid's tiles are cropped to it.
    package var width: Int
    package var height: Int
    /// The number of tiles from left to right; 1 if the image is no grid.
    package var columns: Int
    package var rows: Int
    /// The width of each decoded tile in pixels; the width of the image if it is no grid.
    package var tileWidth: Int
    package var tileHeight: Int
    /// The tiles row by row. Their number is `columns` times `rows`.
    package var tiles: [HEIFTile]
    /// The crop and the turn after the tiles are joined.
    package var framing: ImageFraming
    /// The bits of a sample, 8…16; 8 if the file does not state them.
    package var bitDepth: Int
    /// The resolution of the chroma planes; `nil` for a JPEG, whose own header states it.
    package var sampling: Sampling?
    /// The color space; `nil` if the file leaves it to the codec's own header.
    package var color: CodedColor?
    /// The range of the ICC profile; `nil` if none exists.
    package var profile: Range<Int>?

    package var isGrid: Bool { columns * rows > 1 }

    package var pixels: Int { width.multipliedOrMax(by: height) }

    /// The number of bytes of all planes of all decoded tiles, limited to `Int.max`. Deep samples take two bytes.
    package var decodedBytes: Int {
        bytes(of: tileWidth.multipliedOrMax(by: tileHeight).multipliedOrMax(by: tiles.count))
    }

    /// The number of bytes of all planes of the joined image, without the parts of its tiles that reach beyond it.
    package var imageBytes: Int { bytes(of: pixels) }

    /// Whether the crop begins between two chroma samples, so that the chroma planes must be scaled up first. The value
    /// is also `true` for an odd corner if only the codec's own header could state the sampling.
    package var isCutBetweenSamples: Bool {
        let crop = framing.crop
        return switch sampling {
        case .gray, .yuv444: false
        case .yuv422: crop.x % 2 > 0
        case .yuv420, nil: crop.x % 2 > 0 || crop.y % 2 > 0
        }
    }

    private func bytes(of pixels: Int) -> Int { Self.bytes(of: pixels, sampling: sampling, bitDepth: bitDepth) }

    /// Returns the number of bytes of all planes of decoded pixels, up to `Int.max`. Samples above 8 bits take two.
    ///
    /// - Parameter sampling: The resolution of the chroma planes; `nil` counts three samples for each pixel.
    static func bytes(of pixels: Int, sampling: Sampling?, bitDepth: Int) -> Int {
        let samples =
            switch sampling {
            case .gray: pixels
            case .yuv420: pixels.addedOrMax(pixels / 2)
            case .yuv422: pixels.multipliedOrMax(by: 2)
            case .yuv444, nil: pixels.multipliedOrMax(by: 3)
            }
        return samples.multipliedOrMax(by: bitDepth > 8 ? 2 : 1)
    }
}
