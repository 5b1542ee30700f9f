import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that compare the whole contents of `fixtures/payloads`, with all media ready, with `fixtures/golden/samples`.
///
/// The files are faked, and only the times of the stages differ between runs. The test sets these times to 0.
/// `REWRITE_GOLDENS=1` writes the current contents. A person then reads and commits the difference.
@Suite struct SampleGoldenTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let sample: SampleFixture
        let profile: MediaProfile

        var name: String { profile == .ios ? sample.name : "\(sample.name).\(profile.name)" }
        var testDescription: String { name }

        static func all() throws -> [Case] {
            let profiles: [String: [MediaProfile]] = [
                "fcm-http-v1": [.ios, .web, .android], "webpush": [.ios, .web, .android],
                "comapi-inline": [.ios, .web, .android],
                // The sample's image is an icon, which iPhones do not show.
                "huawei": [.android],
            ]
            return try SampleFixture.all().flatMap { sample in
                (profiles[sample.name] ?? [.ios]).map { Case(sample: sample, profile: $0) }
            }
        }
    }

    private static let directory = Fixtures.directory + "/golden/samples"

    @Test(arguments: try Case.all())
    func `the content of a sample is equal to its golden content`(example: Case) throws {
        let run = SampleRun(example.sample.object, id: example.sample.name, profile: example.profile)
        var notification = try #require(run.contents(.ready).first)
        for index in notification.verdicts.indices {
            let stages = notification.verdicts[index].stages
            notification.verdicts[index].stages = stages.map { Stage(name: $0.name, duration: .zero) }
        }
        let text = JSONWriter.text(of: notification.json, pretty: true) + "\n"
        let path = "\(Self.directory)/\(example.name).json"
        let golden = try Golden.text(at: path, made: text)
        #expect(text == golden, "\(example.name): the result differs from \(path); REWRITE_GOLDENS=1 rewrites it")
    }

    @Test func `each golden content has a sample with the same name`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory).sorted()
        #expect(files == (try Case.all()).map { "\($0.name).json" }.sorted())
    }

    @Test func `the outcome of a sample is rich, prefetched or passthrough if all of its media are ready`() throws {
        for example in try Case.all() {
            let run = SampleRun(example.sample.object, profile: example.profile)
            let notification = try #require(run.contents(.ready).first)
            let isSilent = notification.payload.isSilent
            let expected: Outcome = notification.verdicts.isEmpty ? .passthrough : isSilent ? .prefetched : .rich
            #expect(notification.outcome == expected, "\(example.name)")
        }
    }
}
