/// A picture of a HEIF file: one coded picture, or a grid of them.
package struct HEIFImage: Sendable, Equatable {
    /// Sides that are believed. The fields have 32 bits, codecs end at 65,536; what is below this does not overflow.
    package static let mostSide = 1 << 30
    /// Tiles of one grid.
    package static let mostTiles = 1_024

    package enum Codec: String, Sendable, Equatable, CaseIterable {
        case hevc = "hvc1"
        case av1 = "av01"
        case jpeg
    }

    /// How much smaller the planes of colour differences are, as the codec's configuration says.
    package enum Sampling: Sendable, Equatable {
        case grey
        case yuv420
        case yuv422
        case yuv444
    }

    package var codec: Codec
    /// Decoded pixels of the picture, before `framing`. The parts of a grid's tiles that reach beyond it are cut off.
    package var width: Int
    package var height: Int
    /// Tiles across and down, 1 and 1 when it is no grid.
    package var columns: Int
    package var rows: Int
    /// Decoded pixels of each tile, the picture's own when it is no grid.
    package var tileWidth: Int
    package var tileHeight: Int
    /// Row by row, `columns` times `rows`.
    package var tiles: [HEIFTile]
    /// The crop and the turn that follow after the tiles are joined.
    package var framing: ImageFraming
    /// Bits of a sample, 8…16; 8 when the file does not say.
    package var bitDepth: Int
    /// `nil` for JPEG, whose own header says it.
    package var sampling: Sampling?
    /// `nil` when the file leaves it to the codec's own header.
    package var colour: CodedColour?
    /// The place of an ICC profile.
    package var profile: Range<Int>?

    package var isGrid: Bool {
        columns * rows > 1
    }

    package var pixels: Int { width.multipliedOrMax(by: height) }

    /// Bytes of all planes of all tiles, decoded, samples of more than 8 bits in two bytes; `Int.max` at most.
    package var decodedBytes: Int {
        bytes(of: tileWidth.multipliedOrMax(by: tileHeight).multipliedOrMax(by: tiles.count))
    }

    /// The same of the joined picture, without what its tiles have beyond it.
    package var pictureBytes: Int { bytes(of: pixels) }

    /// Whether its crop begins between two samples of colour difference, so that they have to be spread first; also where
    /// only the picture's own header could say so.
    package var isCutBetweenSamples: Bool {
        let crop = framing.crop
        return switch sampling {
        case .grey, .yuv444: false
        case .yuv422: crop.x % 2 > 0
        case .yuv420, nil: crop.x % 2 > 0 || crop.y % 2 > 0
        }
    }

    private func bytes(of pixels: Int) -> Int {
        Self.bytes(of: pixels, sampling: sampling, bitDepth: bitDepth)
    }

    /// Bytes of all planes of decoded pixels, samples of more than 8 bits in two bytes; `Int.max` at most.
    ///
    /// - Parameter sampling: `nil` counts as three samples for each pixel.
    static func bytes(of pixels: Int, sampling: Sampling?, bitDepth: Int) -> Int {
        let samples =
            switch sampling {
            case .grey: pixels
            case .yuv420: pixels.addedOrMax(pixels / 2)
            case .yuv422: pixels.multipliedOrMax(by: 2)
            case .yuv444, nil: pixels.multipliedOrMax(by: 3)
            }
        return samples.multipliedOrMax(by: bitDepth > 8 ? 2 : 1)
    }
}
