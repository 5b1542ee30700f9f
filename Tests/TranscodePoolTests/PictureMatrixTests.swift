import LinuxIO
import NotificationModel
import PictureQuality
import TestSupport
import Testing

@testable import TranscodePool

/// Every picture of the fixtures for every profile, by the real worker, beside what Pillow sees in it.
@Suite(.timeLimit(.minutes(5)))
struct PictureMatrixTests {
    /// What is not shown, with the reason and the code that a phone would have.
    static let refused: [(name: String, reason: DegradationReason, unError: UNErrorCode?)] = [
        ("animated.webp", .unsupportedMedia, .attachmentUnrecognizedType),
        ("empty.jpg", .corruptMedia, .attachmentCorrupt),
        ("ffconcat.mp4", .unsupportedMedia, .attachmentUnrecognizedType),
        ("hls.mp4", .unsupportedMedia, .attachmentUnrecognizedType),
        ("not-a-picture.jpg", .unsupportedMedia, .attachmentUnrecognizedType),
        ("tiff-jpeg.tif", .unsupportedMedia, .attachmentUnrecognizedType),
        ("truncated.jpg", .corruptMedia, .attachmentCorrupt),
    ]

    @Test(arguments: MediaProfile.all)
    func `every picture looks as it does to Pillow`(_ profile: MediaProfile) async throws {
        let oracle = try PictureOracle.ofFixtures()
        let shown = oracle.pictures.compactMap(\.path).filter { name in !Self.refused.contains { $0.name == name } }
        #expect(shown.count > 60)
        try await withPool { pool in
            for name in shown {
                let source = try oracle.sighting(of: name)
                var work = try PoolWork(name)
                work.profile = profile
                let renditions = try await work.run(in: pool).get().renditions
                #expect(renditions.map(\.info.kind) == [.attachment, .thumbnail], "\(name)")
                for rendition in renditions where rendition.info.type != .mp4 {
                    let info = rendition.info
                    let found = try RenditionSighting(rendition)
                    let flaws = PictureComparison().flaws(
                        of: found.sighting, byteCount: info.byteCount, madeOf: source,
                        as: PictureForm(of: info.kind, in: profile))
                    #expect(flaws.isEmpty, "\(name), \(info.kind): \(flaws)")
                    #expect(info.type != .jpeg || !found.sighting.alpha, "\(name), \(info.kind)")
                    #expect(info.frames == 1 || info.frames == source.frames, "\(name), \(info.kind)")
                }
            }
        }
    }

    /// The sources themselves, read as one who passes over their EXIF or their profile would.
    @Test(arguments: (2...8).map { "orientation-\($0).jpg" } + ["display-p3.jpg", "grey-gamma.jpg"])
    func `what is not turned upright or not brought to sRGB would be found`(_ name: String) throws {
        let file = try PoolWork(name).source
        let source = try PictureOracle.ofFixtures().sighting(of: name)
        let info = RenditionInfo(
            kind: .attachment, type: .jpeg, byteCount: try FileSystem.size(of: file), width: 1, height: 1)
        let found = try RenditionSighting(Rendition(info: info, file: file), readsProfile: false)
        let flaws = PictureComparison().flaws(
            of: found.sighting, byteCount: info.byteCount, madeOf: source, as: PictureForm(of: .attachment, in: .ios))
        #expect(flaws.contains { if case .color = $0 { true } else { false } }, "\(flaws)")
    }

    @Test(arguments: refused)
    func `what cannot be shown is refused by its reason`(
        _ name: String, _ reason: DegradationReason, _ unError: UNErrorCode?
    ) async throws {
        let failure = try await withPool { pool in try await PoolWork(name).run(in: pool).failure }
        #expect(failure?.reason == reason)
        #expect(failure?.unError == unError)
    }
}
