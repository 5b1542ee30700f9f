import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// Damaged pictures, by the real worker in its sandbox.
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
    func `a damaged picture is shown with a sentence that names its damage`(
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

    @Test func `a picture of which too little is there is corrupt`() async throws {
        let work = try work("jpeg-444-cut-40.jpg")
        let refused = try await withPool { pool in try await work.run(in: pool) }
        #expect(refused.reason == .corruptMedia)
    }
}
