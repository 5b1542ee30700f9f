import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of damaged media with the real worker in its sandbox.
@Suite(.timeLimit(.minutes(2)))
struct DamagedMediaTests {
    private func work(_ name: String) throws -> PoolWork { try PoolWork(path: "\(Fixtures.directory)/damaged/\(name)") }

    @Test(arguments: [
        ("jpeg-444-cut-81.jpg", "damaged: 80 % of the rows"), ("jpeg-420-no-end.jpg", "damaged: all rows are shown"),
        ("progressive-bad-refinement.jpg", "damaged: all rows are shown"),
        ("png-palette-cut-81.png", "damaged: 77 % of the rows"),
        ("png-rgb-bad-checksum.png", "damaged: all rows are shown"), ("gif-cut-81.gif", "damaged: 80 % of the rows"),
        ("animation-cut-in-frame-2.gif", "damaged: the first frame"),
        ("animation-cut-in-frame-3.gif", "damaged: the first 2 frames"),
    ])
    func `a damaged image is shown with an explanation of its damage`(
        _ name: String, _ damage: String
    ) async throws {
        var work = try work(name)
        let shown = try await withPool { pool in try await work.run(in: pool).get() }
        #expect(shown.damage == damage)
        #expect(shown.renditions.map(\.info.kind) == [.attachment, .thumbnail])
        work.form.damaged = .refuse
        let refusing = work
        let refused = try await withPool { pool in try await refusing.run(in: pool) }
        #expect(refused.reason == .corruptMedia)
    }

    @Test func `an image with too few intact rows is corrupt`() async throws {
        let work = try work("jpeg-444-cut-40.jpg")
        let refused = try await withPool { pool in try await work.run(in: pool) }
        #expect(refused.reason == .corruptMedia)
    }

    @Test(arguments: ["h264-aac.mkv", "vp9-opus.webm", "h264-aac.ts", "h264-aac.flv"])
    func `a video that ends early is shown with an explanation of its damage, or as a still image`(
        _ name: String
    ) async throws {
        let whole = try Fixtures.bytes("films/\(name)")
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/film"
        try FileSystem.replace(path, with: Array(whole.prefix(whole.count * 85 / 100 / 188 * 188 + 100)))
        var work = try PoolWork(path: path)
        let shown = try await withPool { pool in try await work.run(in: pool).get() }
        let frames = try #require(shown.renditions.first?.info.frames)
        #expect(shown.damage == "damaged: the first \(frames) frames" && shown.reduction == nil)
        #expect(shown.renditions.map(\.info.type) == [.mp4, .jpeg, .jpeg])
        work.form.damaged = .refuse
        let refusing = work
        let still = try await withPool { pool in try await refusing.run(in: pool).get() }
        #expect(still.damage == nil && still.reduction?.reason == .corruptMedia)
        #expect(still.renditions.map(\.info.type) == [.jpeg, .jpeg, .jpeg])
    }
}
