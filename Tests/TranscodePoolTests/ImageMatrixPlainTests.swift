import Base
import Foundation
import ImageQuality
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of every fixture image with every profile and the real worker. The reference is Pillow's result.
@Suite(.timeLimit(.minutes(5)))
struct ImageMatrixPlainTests {
    /// The files that are not shown, with their reason and the error code of iOS.
    static let refused: [(name: String, reason: DegradationReason, unError: UNErrorCode?)] = [
        ("empty.jpg", .corruptMedia, .attachmentCorrupt),
        ("ffconcat.mp4", .unsupportedMedia, .attachmentUnrecognizedType),
        ("hls.mp4", .unsupportedMedia, .attachmentUnrecognizedType),
        ("not-a-picture.jpg", .unsupportedMedia, .attachmentUnrecognizedType),
        ("truncated.jpg", .corruptMedia, .attachmentCorrupt),
    ]

    /// The files that are shown, but that the oracle cannot read, because its libheif has no decoder for them.
    static let unseen = ["heif-jpeg-tables.heif", "heif-jpeg.heif"]

    /// The forms of all profiles, each of them once.
    static let forms = MediaProfile.all.flatMap { profile in
        [MediaRole.attachment, .icon, .badge, .actionIcon].filter(profile.roles.contains).map { role in
            (name: "\(profile.name) \(role.rawValue)", form: profile.form(of: role))
        }
    }.reduce(into: [(name: String, form: MediaForm)]()) { forms, next in
        if !forms.contains(where: { $0.form == next.form }) { forms.append(next) }
    }

    @Test func `the oracle's results contain every fixture image`() throws {
        let files = try #require(FileManager.default.enumerator(atPath: Fixtures.media)).compactMap { $0 as? String }
        let images = files.filter { $0.contains(".") && !$0.hasSuffix(".mp4") }.sorted()
        #expect(try ImageOracle.ofFixtures().images.compactMap(\.path) == images)
    }

    @Test(arguments: forms)
    func `a rendition of every image looks like the rendition of Pillow`(_ name: String, _ form: MediaForm) async throws
    {
        let oracle = try ImageOracle.ofFixtures()
        let shown = oracle.images.compactMap(\.path).filter { name in
            !Self.unseen.contains(name) && !Self.refused.contains { $0.name == name }
        }
        #expect(shown.count > 60)
        try await withPool { pool in
            for name in shown {
                let source = try oracle.observed(of: name)
                var work = try PoolWork(name)
                work.form = form
                let renditions = try await work.run(in: pool).get().renditions
                #expect(
                    renditions.map(\.info.kind)
                        == (form.thumbnailSide == nil ? [.attachment] : [.attachment, .thumbnail]),
                    "\(name)")
                for rendition in renditions where rendition.info.type != .mp4 {
                    let info = rendition.info
                    let found = try ObservedRendition(rendition)
                    let flaws = ImageComparison().flaws(
                        of: found.observed, byteCount: info.byteCount, madeOf: source,
                        as: ImageForm(of: info.kind, frames: info.frames, as: form)
                    ).filter { !form.isMask || $0.isOfMask(madeOf: source) }
                    #expect(flaws.isEmpty, "\(name), \(info.kind): \(flaws)")
                    #expect(info.type != .jpeg || !found.observed.alpha, "\(name), \(info.kind)")
                    #expect(info.frames == 1 || info.frames == source.frames, "\(name), \(info.kind)")
                }
            }
        }
    }

    /// The sources themselves are read here without their EXIF or their profile. The comparison has to report such an
    /// error.
    @Test(arguments: (2...8).map { "orientation-\($0).jpg" } + ["display-p3.jpg", "grey-gamma.jpg"])
    func `the comparison finds a missing rotation and a missing color conversion`(_ name: String) throws {
        let file = try PoolWork(name).source
        let source = try ImageOracle.ofFixtures().observed(of: name)
        let info = RenditionInfo(
            kind: .attachment, type: .jpeg, byteCount: try FileSystem.size(of: file), width: 1, height: 1)
        let found = try ObservedRendition(Rendition(info: info, file: file), readsProfile: false)
        let flaws = ImageComparison().flaws(
            of: found.observed, byteCount: info.byteCount, madeOf: source,
            as: ImageForm(of: .attachment, frames: 1, as: MediaProfile.ios.attachment))
        #expect(flaws.contains { if case .color = $0 { true } else { false } }, "\(flaws)")
    }

    @Test(arguments: refused)
    func `a file that cannot be shown is refused with its reason`(
        _ name: String, _ reason: DegradationReason, _ unError: UNErrorCode?
    ) async throws {
        let failure = try await withPool { pool in try await PoolWork(name).run(in: pool).failure }
        #expect(failure?.reason == reason)
        #expect(failure?.unError == unError)
    }
}

extension ImageFlaw {
    /// Returns whether the flaw is an error in a mask. A mask is white, so its colors differ from the image. The alpha
    /// of an opaque image's mask is its contrast to the border, so this alpha differs too.
    fileprivate func isOfMask(madeOf source: ObservedImage) -> Bool {
        switch self {
        case .color, .structure: false
        case .opacity, .alphaInvented: source.alpha && source.whole.opacity?.contains { $0 < 255 } == true
        default: true
        }
    }
}
