import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of AVIF sequences whose tracks differ from their still image. The fixtures have six frames of 96 × 64
/// pixels.
struct SequenceTrackTests {
    private static let description = "mdia/minf/stbl/stsd"

    private static func order(side: UInt32 = 64) -> RenditionSpec {
        var order = Workbench.order(.attachment, side)
        order.takesVideos = false
        return order
    }

    private static func facts(_ bytes: [UInt8]) throws -> ImageFacts {
        try ImageInspection.inspect(bytes.span, as: .heic, limits: DecodeLimits())
    }

    /// Returns the sequence with another width and height in the sample entry of a track.
    private static func sized(_ name: String, track: Int, _ width: Int, _ height: Int) -> [UInt8] {
        MovieBoxes.changed(AnimationFile.fixture(name)) { path, body in
            guard path == "trak\(track)/\(description)" else { return body }
            // The width and the height follow the version, the flags, the number of entries, and the entry's size and
            // type.
            var body = body
            body.replaceSubrange(16 + 24..<16 + 28, with: MovieBoxes.big(width, 2) + MovieBoxes.big(height, 2))
            return body
        }
    }

    @Test func `a movie box at the end of the file is read like a movie box before the frames`() throws {
        let moved = MovieBoxes.changed(AnimationFile.fixture("alpha.avif")) { $1 }
        #expect(
            try AnimationFile(moved, as: .heic).frames
                == AnimationFile(AnimationFile.fixture("alpha.avif"), as: .avif).frames)
    }

    @Test func `the frames have the width and height of the sample entries`() throws {
        let sequence = try #require(Self.facts(AnimationFile.fixture("alpha.avif")).heif?.sequence)
        #expect([sequence.colors.width, sequence.colors.height] == [96, 64])
        #expect([sequence.alpha?.width, sequence.alpha?.height] == [96, 64])
        #expect(sequence.colors.frameBytes == 96 * 64 * 3 && sequence.alpha?.frameBytes == 96 * 64)
    }

    @Test(arguments: [(8_000, 8_000), (48, 32), (0, 0), (96, 65)])
    func `a sequence is a still image if the size of its frames differs from the size of its image`(
        _ width: Int, _ height: Int
    ) throws {
        let source = Self.sized("photo.avif", track: 0, width, height)
        #expect(try Self.facts(source).delays.isEmpty)
        let outcome = Workbench.run(source, as: .heic, [Self.order()])
        #expect(outcome.reports.first?.frames == 1 && outcome.reports.first?.format == .jpeg, "\(outcome.reply)")
    }

    @Test func `the memory for a sequence is computed from its tracks`() throws {
        let small = try Self.facts(AnimationFile.fixture("alpha.avif"))
        #expect(small.delays.count == 6)
        // The alpha may have another size than the frames.
        let large = try Self.facts(Self.sized("alpha.avif", track: 1, 8_000, 8_000))
        #expect(large.delays.isEmpty && large.frames == 1)
    }

    @Test func `a frame that is larger than its sample entry is not decoded`() throws {
        // The still image and the track both state a size that the AV1 stream exceeds.
        var source = Self.sized("photo.avif", track: 0, 48, 32)
        let extents = try #require(source.firstRange(of: Array("ispe".utf8)))
        source.replaceSubrange(
            extents.upperBound + 4..<extents.upperBound + 12, with: MovieBoxes.big(48, 4) + MovieBoxes.big(32, 4))
        #expect(try Self.facts(source).delays.count == 6)
        #expect(throws: TranscodeFailure.self) { try AnimationFile(source, as: .heic) }
        #expect(Workbench.run(source, as: .heic, [Self.order(side: 32)]).failure == .corrupt)
    }

    @Test func `a frame with more samples than its configuration is not decoded`() throws {
        // The configuration states monochrome, but the frames have colors.
        let source = MovieBoxes.changed(AnimationFile.fixture("photo.avif")) { path, body in
            guard path == "trak0/\(Self.description)", let record = body.firstRange(of: Array("av1C".utf8)) else {
                return body
            }
            var body = body
            body[record.upperBound + 2] |= 0x10
            return body
        }
        #expect(throws: TranscodeFailure.self) { try AnimationFile(source, as: .heic) }
        let outcome = Workbench.run(source, as: .heic, [Self.order()])
        #expect(outcome.reports.first?.frames == 1, "\(outcome.reply)")
    }

    @Test(arguments: [
        ("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", true), ("urn:mpeg:hevc:2015:auxid:1", true),
        ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", false), ("urn:mpeg:hevc:2015:auxid:2", false),
        ("urn:mpeg:mpegB:cicp:systems:auxiliary:alphas", false), (nil, false),
    ])
    func `an auxiliary track is read as alpha only if its type is an alpha type`(_ name: String?, _ isAlpha: Bool)
        throws
    {
        let source = MovieBoxes.changed(AnimationFile.fixture("alpha.avif")) { path, body in
            guard path == "trak1/\(Self.description)", let type = body.firstRange(of: Array("auxi".utf8)) else {
                return body
            }
            let start = type.lowerBound - 4
            let size = body[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let other = name.map { MovieBoxes.box("auxi", [0, 0, 0, 0] + Array($0.utf8) + [0]) } ?? []
            let entry = Array(body[16..<start]) + other + Array(body[(start + size)...])
            return Array(body[..<8]) + MovieBoxes.box("av01", entry)
        }
        let animation = try AnimationFile(source, as: .heic)
        #expect((animation.facts.heif?.sequence?.alpha != nil) == isAlpha)
        #expect(animation.frames.count == 6)
        // The paper in the image is transparent.
        #expect(animation.pixel(0, x: 90, y: 4)[3] == (isAlpha ? 0 : 255))
    }

    /// Returns the sequence with an edit list in its first track. Each edit has a duration and a media time, in
    /// milliseconds.
    private static func edited(_ edits: [(duration: Int, time: Int)], flags: Int = 0) -> [UInt8] {
        let rows = edits.flatMap {
            MovieBoxes.big($0.duration, 4) + MovieBoxes.big($0.time, 4) + MovieBoxes.big(0x1_0000, 4)
        }
        let list = MovieBoxes.box("elst", MovieBoxes.big(flags, 4) + MovieBoxes.big(edits.count, 4) + rows)
        return MovieBoxes.changed(AnimationFile.fixture("drawing.avif")) { path, body in
            path == "trak0" ? body + MovieBoxes.box("edts", list) : body
        }
    }

    @Test(arguments: [[(788, 0)], [(500, -1), (788, 0)], [(688, 100)], [(200, 0)], [(788, 0), (788, 0)], [(0, 0)]])
    func `all frames of a sequence are shown in their order with any edit list`(_ edits: [(Int, Int)]) throws {
        let animation = try AnimationFile(Self.edited(edits.map { ($0.0, $0.1) }), as: .heic)
        #expect(animation.facts.delays == [30, 70, 100, 400, 33, 250])
        #expect(animation.frames == (try AnimationFile(AnimationFile.fixture("drawing.avif"), as: .avif)).frames)
    }

    @Test func `a track with several sample entries is no sequence`() throws {
        let source = MovieBoxes.changed(AnimationFile.fixture("photo.avif")) { path, body in
            guard path == "trak0/\(Self.description)" else { return body }
            return Array(body[..<4]) + MovieBoxes.big(2, 4) + Array(body[8...] + body[8...])
        }
        #expect(try Self.facts(source).delays.isEmpty)
    }
}
