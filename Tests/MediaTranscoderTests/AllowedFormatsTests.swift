import Base
import Foundation
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the demuxers and decoders that a file can reach. A longer list is a larger target for attacks, so a
/// document lists all of them.
@Suite struct AllowedFormatsTests {
    /// Returns the names in the list of docs/reference/media.md whose title is in bold.
    private static func documented(_ title: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/reference/media.md"), encoding: .utf8)
        let start = try #require(page.range(of: "* **\(title):**")).upperBound
        let list = page[start...].prefix { $0 != "*" }
        return list.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    @Test func `the media document lists each allowed decoder and no other decoder`() throws {
        #expect(try Self.documented("decoders of videos and covers") == AllowedDecoders.videos)
        #expect(try Self.documented("decoders of sounds") == AllowedDecoders.sounds)
    }

    @Test func `the media document lists each allowed demuxer and no other demuxer`() throws {
        let demuxers = Set(MediaFormat.decoded.compactMap { $0.demuxer.map { "\($0)" } })
        #expect(try Self.documented("demuxers") == demuxers.sorted())
    }

    @Test func `each decoded video or sound has a demuxer, and each rendition of one has a muxer`() {
        #expect(MediaFormat.decoded.allSatisfy { $0.kind == .image || $0.demuxer != nil })
        #expect(MediaFormat.renditions.allSatisfy { ($0.kind == .image) == ($0.muxer == nil) })
    }
}
