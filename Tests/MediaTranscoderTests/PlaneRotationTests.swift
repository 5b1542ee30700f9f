import MediaHeaders
import Testing

@testable import MediaTranscoder

@Suite struct PlaneRotationTests {
    /// The rows of an image of 3 × 2 samples after each rotation, as the figures of the EXIF specification show them.
    static let table: [(ImageOrientation, [String])] = [
        (.upright, ["abc", "def"]), (.mirrored, ["cba", "fed"]), (.turnedHalf, ["fed", "cba"]),
        (.flipped, ["def", "abc"]), (.transposed, ["ad", "be", "cf"]), (.turnedRight, ["da", "eb", "fc"]),
        (.transversed, ["fc", "eb", "da"]), (.turnedLeft, ["cf", "be", "ad"]),
    ]

    @Test(arguments: table.indices)
    func `each orientation rotates an image of 3 × 2 samples to be upright`(_ index: Int) {
        let (orientation, rows) = Self.table[index]
        // The rows are padded, as in decoded images.
        let source = Array("abc..def".utf8)
        let stride = rows[0].utf8.count + 3
        var target = [UInt8](repeating: UInt8(ascii: "."), count: stride * rows.count)
        var span = target.mutableSpan
        PlaneRotation.turn(
            source.span, width: 3, height: 2, stride: 5, orientation: orientation, into: &span, stride: stride)
        let found = rows.indices.map { row in
            String(decoding: target[row * stride..<row * stride + rows[0].utf8.count], as: UTF8.self)
        }
        #expect(found == rows)
    }
}
