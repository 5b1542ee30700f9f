import CFFmpeg
import Glibc
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of progressive JPEGs that no encoder writes. The decoder returns the samples of FFmpeg or no image. The
/// decoder returns no image if FFmpeg finds damage in the data that both decoders read.
struct LowFrequencyDamageTests {
    @Test(arguments: ["progressive-small.jpg", "progressive-restarts.jpg"], [2, 3])
    func `a JPEG with changed bytes has the samples of FFmpeg, or is not decoded`(name: String, halvings: Int) throws {
        let whole = Workbench.fixture(name)
        let segments = try JPEGHeader(whole.span).segments
        var random = SeededGenerator(seed: 11)
        var images = 0
        for _ in 0..<2_500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let head = try #require(segments.randomElement(using: &random)).body
                let isHead = Int.random(in: 0...3, using: &random) > 0
                let place = Int.random(
                    in: isHead ? head.lowerBound - 4..<head.upperBound : 2..<bytes.count, using: &random)
                bytes[place] ^=
                    Bool.random(using: &random)
                    ? 1 << UInt8.random(in: 0...7, using: &random) : UInt8.random(in: 1...255, using: &random)
            }
            guard let header = try? JPEGHeader(bytes.span), header.pixels < 1_000_000,
                let image = ReducedSizeDecoder(header, of: bytes.span, halvings: halvings)
            else { continue }
            images += 1
            let planes = Self.byFFmpeg(bytes, header, halvings: halvings)
            // At an eighth of the size, the AC coefficients are not read, so damage in them is not found.
            #expect(planes == image.planes.map(\.samples) || planes == nil && halvings == 3)
        }
        #expect(images > 500)
    }

    /// Decodes the first scans with FFmpeg.
    ///
    /// - Returns: The samples of each plane, row by row; `nil` for damage.
    private static func byFFmpeg(_ bytes: [UInt8], _ header: JPEGHeader, halvings: Int) -> [[UInt8]]? {
        let descriptor = Workbench.temporaryFile(bytes)
        defer { close(descriptor) }
        guard let end = header.endOfScans(forHalvings: halvings), let source = try? MappedInput.map(descriptor),
            let frame = try? JPEGDecoding.firstScans(
                source, upTo: end, halvings: halvings, limits: DecodeLimits())
        else { return nil }
        return (0..<header.components.count).map { plane in
            let (stride, size) = (
                frame.stride(plane), frame.pixelFormat.planeSize(plane, width: frame.width, height: frame.height)
            )
            return frame.withPlane(plane) { bytes in
                (0..<size.rows).flatMap { bytes.bytes(at: $0 * stride, count: size.rowBytes) }
            }
        }
    }
}
