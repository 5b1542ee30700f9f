import NotificationModel
import Testing

@testable import TranscodePool

/// The tests of previews for badges. A file is stored once, with one preview. Different images may have the same mask,
/// so a mask has no preview.
@Suite(.timeLimit(.minutes(1)))
struct BadgePreviewTests {
    @Test(arguments: [(MediaRole.badge, false), (.icon, true), (.attachment, true)])
    func `a rendition without the image's colors has no preview`(_ role: MediaRole, _ isPreviewed: Bool) async throws {
        var work = try PoolWork("mask-alpha.png")
        work.form = MediaProfile.web.form(of: role)
        let made = try await withPool { [work] pool in try await work.run(in: pool).get().renditions.map(\.info) }
        #expect((made.first?.preview != nil) == isPreviewed)
    }
}
