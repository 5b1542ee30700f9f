import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the number of times that an animation is played. A GIF counts the repetitions after the first play, and
/// 0 means an endless loop. The other formats count all plays.
struct AnimationLoopTests {
    private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    /// Returns a GIF with a loop.
    ///
    /// - Parameter repetitions: The number in the loop block; `nil` omits the block.
    private static func gif(_ repetitions: Int?) -> [UInt8] {
        let source = AnimationFile.fixture("alpha.gif")
        let name = Array("NETSCAPE2.0".utf8)
        let block = repetitions.map { [0x21, 0xFF, 11] + name + [3, 1] + little($0) + [0] } ?? []
        let paletteEnd = 13 + (3 << (Int(source[10] & 7) + 1))
        var rest = source[paletteEnd...]
        if let old = rest.firstRange(of: name) { rest.removeSubrange(old.lowerBound - 3..<old.upperBound + 5) }
        return Array(source[..<paletteEnd]) + block + Array(rest)
    }

    private static func webp(_ plays: Int) throws -> [UInt8] {
        var source = AnimationFile.fixture("drawing.webp")
        let chunk = try #require(source.firstRange(of: Array("ANIM".utf8)))
        source.replaceSubrange(chunk.upperBound + 8..<chunk.upperBound + 10, with: little(plays))
        return source
    }

    private static func png(_ plays: Int) throws -> [UInt8] {
        try AnimationFile.png("drawing.png", plays: plays)
    }

    /// Returns an AVIF sequence with an edit list.
    ///
    /// - Parameter duration: The duration of the track with all repetitions, in milliseconds; `nil` means an endless
    ///   loop.
    /// - Parameter cycle: The duration of the one edit, in milliseconds; `nil` omits the edit list.
    private static func avif(duration: Int?, cycle: Int?, repeats: Bool = true, edits: Int = 1) -> [UInt8] {
        MovieBoxes.changed(AnimationFile.fixture("drawing.avif")) { path, body in
            switch path {
            case "trak0/tkhd":
                var body = body
                body.replaceSubrange(28..<36, with: MovieBoxes.big(duration ?? -1, 8))
                return body
            case "trak0":
                guard let cycle else { return body }
                let edit = MovieBoxes.big(cycle, 8) + MovieBoxes.big(0, 8) + MovieBoxes.big(0x1_0000, 4)
                let list = MovieBoxes.big(1 << 24 | (repeats ? 1 : 0), 4) + MovieBoxes.big(edits, 4) + edit
                return body + MovieBoxes.box("edts", MovieBoxes.box("elst", list))
            default: return body
            }
        }
    }

    /// Encodes an animation again as a GIF, and returns the number of times that this GIF is played.
    private static func plays(_ source: [UInt8], as format: MediaFormat) throws -> Int? {
        var order = Workbench.order(.attachment, 64)
        order.takesVideos = false
        let outcome = Workbench.run(source, as: format, [order])
        let gif = try #require(outcome.outputs.first)
        try #require(outcome.reports.first?.format == .gif && outcome.reports.first?.frames == 6, "\(outcome.reply)")
        return try GIFHeader(gif.span).plays
    }

    @Test(arguments: [(0, nil), (1, 2), (2, 3), (65_535, 65_536)] as [(Int, Int?)])
    func `a GIF that is encoded again keeps its loop count`(_ repetitions: Int, _ plays: Int?) throws {
        #expect(try Self.plays(Self.gif(repetitions), as: .gif) == plays)
    }

    @Test func `a GIF without a loop block is played once, and its transcoded GIF is also played once`() throws {
        let source = Self.gif(nil)
        #expect(try Self.plays(source, as: .gif) == 1)
        let made = Workbench.run(source, as: .gif, [Workbench.order(.attachment, 64)])
        #expect(made.outputs[0].firstRange(of: Array("NETSCAPE2.0".utf8)) == nil)
    }

    @Test(arguments: [(0, nil), (1, 1), (2, 2), (65_535, 65_535)] as [(Int, Int?)])
    func `the GIF of a WebP is played as often as the WebP`(_ number: Int, _ plays: Int?) throws {
        #expect(try Self.plays(Self.webp(number), as: .webp) == plays)
    }

    @Test(arguments: [(0, nil), (1, 1), (3, 3), (100_000, 65_536)] as [(Int, Int?)])
    func `the GIF of an APNG is played as often as the APNG, up to GIF's limit`(_ number: Int, _ plays: Int?) throws {
        #expect(try Self.plays(Self.png(number), as: .png) == plays)
    }

    @Test func `the GIF of an AVIF is played as often as its edit list is repeated`() throws {
        #expect(try Self.plays(Self.avif(duration: nil, cycle: 788), as: .avif) == nil)
        #expect(try Self.plays(Self.avif(duration: 3 * 788, cycle: 788), as: .avif) == 3)
        #expect(try Self.plays(Self.avif(duration: 3 * 788 + 1, cycle: 788), as: .avif) == 4)
        #expect(try Self.plays(Self.avif(duration: 788, cycle: 788, repeats: false), as: .avif) == 1)
        // Browsers repeat a sequence without an edit list endlessly.
        #expect(try Self.plays(Self.avif(duration: 788, cycle: nil), as: .avif) == nil)
    }

    @Test func `an AVIF is repeated endlessly if browsers refuse the edit list of the AVIF`() throws {
        #expect(try Self.plays(Self.avif(duration: 788, cycle: 0), as: .avif) == nil)
        #expect(try Self.plays(Self.avif(duration: 788, cycle: 788, edits: 2), as: .avif) == nil)
    }
}
