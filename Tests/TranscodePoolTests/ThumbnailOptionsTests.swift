import Base
import NotificationModel
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of Apple's options for the thumbnail of an attachment, with the real worker.
@Suite(.timeLimit(.minutes(2)))
struct ThumbnailOptionsTests {
    private func infos(_ fixture: String, _ change: (inout AttachmentOptions) -> Void) async throws -> [RenditionInfo] {
        var work = try PoolWork(fixture)
        change(&work.options)
        return try await withPool { pool in try await work.run(in: pool).get().renditions.map(\.info) }
    }

    @Test(arguments: [("photo-small.jpg", [RenditionKind.attachment]), ("video-silent.mp4", [.attachment, .poster])])
    func `no thumbnail is made if the thumbnail is hidden`(_ fixture: String, _ kinds: [RenditionKind]) async throws {
        let infos = try await infos(fixture) { options in
            options.thumbnailHidden = true
            options.thumbnailClippingRect = .init(x: 0, y: 0, width: 0.5, height: 0.5)
        }
        #expect(infos.map(\.kind) == kinds)
        #expect(infos.last?.preview != nil)
    }

    @Test func `each rendition has the quality of its form`() async throws {
        var bytes: [[Int]] = []
        for quality in [30, 95] {
            var work = try PoolWork("photo-12mp.jpg")
            work.form.jpegQuality = quality
            bytes.append(try await withPool { try await work.run(in: $0).get().renditions.map(\.info.byteCount) })
        }
        #expect(bytes[0].count == 2 && bytes[1].count == 2)
        #expect(zip(bytes[0], bytes[1]).allSatisfy { $0 * 2 < $1 }, "\(bytes)")
    }

    /// The image `photo-small.jpg` has 800 × 600 pixels.
    @Test(arguments: [
        ([0.25, 0, 0.5, 1], [171, 256]), ([0, 0, 1, 0.25], [256, 48]), ([0.5, 0.5, 1, 1], [256, 192]),
        ([0, 0, 1, 1], [256, 192]), ([0, 0, 0, 0], [256, 192]), ([0.999, 0.999, 1, 1], [1, 1]),
        ([0.999_999_9, 0, 1e-9, 1], [1, 256]),
    ])
    func `a thumbnail has the shape of its clipping rectangle`(_ sides: [Double], _ size: [Int]) async throws {
        let infos = try await infos("photo-small.jpg") { options in
            options.thumbnailClippingRect = .init(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        }
        #expect(infos.map(\.kind) == [.attachment, .thumbnail])
        #expect(infos.last.map { [$0.width, $0.height] } == size)
        #expect(infos.first.map { [$0.width, $0.height] } == [800, 600])
    }
}
