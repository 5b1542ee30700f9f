import NotificationModel
import Testing

@testable import TranscodePool

/// A file is stored once, with one preview: what many pictures may come to has none of one of them.
@Suite(.timeLimit(.minutes(1)))
struct BadgePreviewTests {
    @Test(arguments: [(MediaRole.badge, false), (.icon, true), (.attachment, true)])
    func `only what has a picture's colours has its preview`(_ role: MediaRole, _ isPreviewed: Bool) async throws {
        var work = try PoolWork("mask-alpha.png")
        work.form = MediaProfile.web.form(of: role)
        let made = try await withPool { [work] pool in try await work.run(in: pool).get().renditions.map(\.info) }
        #expect((made.first?.preview != nil) == isPreviewed)
    }
}
