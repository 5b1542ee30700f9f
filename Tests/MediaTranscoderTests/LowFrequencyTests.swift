import CFFmpeg
import CTurboJPEG
import Glibc
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of `ReducedSizeDecoder`, which reads only the coefficients that matter at a small size. FFmpeg's decoder
/// of all coefficients is the reference.
struct LowFrequencyTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var testDescription: String { name }
    }

    /// The samples with every sampling, at sizes that fill no MCU, one MCU and several.
    static let samples: [Sample] = {
        let samplings = [
            ("4:2:0", TJSAMP_420), ("4:2:2", TJSAMP_422), ("4:4:0", TJSAMP_440), ("4:4:4", TJSAMP_444),
            ("grey", TJSAMP_GRAY),
        ]
        let sizes = [(1, 1), (7, 9), (16, 16), (17, 33), (203, 149), (64, 640), (65_500, 1), (1, 65_500)]
        let made = samplings.flatMap { sampling in
            sizes.map { size in
                Sample(
                    name: "\(sampling.0), \(size.0) x \(size.1)",
                    bytes: progressive(width: size.0, height: size.1, sampling: sampling.1))
            }
        }
        return made
            + ["progressive.jpg", "progressive-small.jpg", "progressive-restarts.jpg"].map {
                Sample(name: $0, bytes: Workbench.fixture($0))
            }
    }()

    /// Returns a JPEG of noise on gradients, in which no coefficient is zero everywhere.
    private static func progressive(width: Int, height: Int, sampling: TJSAMP) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(width * 1_000 + height))
        var pixels: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                for slope in [row, column, row + column] {
                    pixels.append(UInt8(truncatingIfNeeded: slope * 2 + Int(random.next() % 64)))
                }
            }
        }
        let handle = tjInitCompress()
        defer { tjDestroy(handle) }
        var target: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let code = tjCompress2(
            handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &target, &count,
            Int32(sampling.rawValue), 80, TJFLAG_PROGRESSIVE)
        defer { tjFree(target) }
        return code == 0 ? Array(UnsafeBufferPointer(start: target, count: Int(count))) : []
    }

    @Test(arguments: samples, [2, 3])
    func `a reduced-size decoder returns the samples of a full decoder`(sample: Sample, halvings: Int) throws {
        let header = try JPEGHeader(sample.bytes.span)
        let made = ReducedSizeDecoder(header, of: sample.bytes.span, halvings: halvings)
        let image = try #require(made)
        let end = try #require(header.endOfScans(forHalvings: halvings))
        let descriptor = Workbench.temporaryFile(sample.bytes)
        defer { close(descriptor) }
        let source = try MappedInput.map(descriptor)
        let whole = try JPEGDecoding.firstScans(
            source, upTo: end, halvings: halvings,
            limits: DecodeLimits())
        let frame = try Frame.of(image, sampled: header)
        #expect(frame.width == whole.width && frame.height == whole.height && frame.format == whole.format)
        for plane in 0..<header.components.count {
            #expect(Self.rows(frame, plane) == Self.rows(whole, plane), "plane \(plane)")
        }
    }

    private static func rows(_ frame: borrowing Frame, _ plane: Int) -> [[UInt8]] {
        let (stride, size) = (
            frame.stride(plane), frame.pixelFormat.planeSize(plane, width: frame.width, height: frame.height)
        )
        return frame.withPlane(plane) { bytes in
            (0..<size.rows).map { bytes.bytes(at: $0 * stride, count: size.rowBytes) }
        }
    }
}
