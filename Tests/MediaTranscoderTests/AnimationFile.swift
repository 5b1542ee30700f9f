import Base
import CFFmpeg
import Glibc
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The frames of an animation, as the transcoder reads them.
struct AnimationFile {
    let facts: ImageFacts
    /// The red, green, blue and alpha of each frame's pixels, row by row.
    private(set) var frames: [[UInt8]] = []

    static func fixture(_ name: String) -> [UInt8] { Workbench.fixture("../animations/" + name) }

    init(_ bytes: [UInt8], as format: MediaFormat) throws {
        let descriptor = Workbench.temporaryFile(bytes)
        defer { close(descriptor) }
        let input = try MappedInput.map(descriptor).corrected(as: format)
        facts = try input.withBytes { span throws(TranscodeFailure) in
            try ImageInspection.inspect(span, as: format, limits: DecodeLimits())
        }
        let reader = try facts.frames(of: input)
        while let frame = try reader.next() {
            let target = try Frame.allocate(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
            try Scaler.make(from: frame.shape, to: target.shape, quality: .still).scale(frame, into: target)
            let (stride, width) = (target.stride(0), target.width)
            frames.append(
                target.withPlane(0) { plane in
                    (0..<target.height).flatMap { plane.bytes(at: $0 * stride, count: width * 4) }
                })
        }
    }

    /// Returns an APNG of the fixtures with other numbers in its control chunk.
    static func png(_ name: String, frames: Int = 6, plays: Int = 0) throws -> [UInt8] {
        var source = fixture(name)
        let chunk = try #require(source.firstRange(of: Array("acTL".utf8)))
        let end = chunk.upperBound + 8
        source.replaceSubrange(
            chunk.upperBound..<end, with: MovieBoxes.big(frames, 4) + MovieBoxes.big(plays, 4))
        source.replaceSubrange(end..<end + 4, with: MovieBoxes.big(checksum(source[chunk.lowerBound..<end]), 4))
        return source
    }

    /// Returns the checksum of a PNG chunk (PNG, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return Int(~sum)
    }

    func pixel(_ frame: Int, x: Int, y: Int) -> [Int] {
        let start = (y * facts.size.width + x) * 4
        return frames[frame][start..<start + 4].map { Int($0) }
    }

    /// Returns the left edge of the dark bar that the fixtures show, in the middle row of a frame; `nil` if there is no
    /// bar.
    func bar(_ frame: Int) -> Int? {
        let row = facts.size.height / 2
        return (0..<facts.size.width).first { column in
            let pixel = pixel(frame, x: column, y: row)
            return pixel[3] > 127 && pixel[0] < 90 && pixel[1] < 100 && pixel[2] < 130 && pixel[2] > 55
        }
    }
}
