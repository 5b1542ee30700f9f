import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct SamplePayloadTests {
    @Test func `every sample has an entry in EXPECTED.json`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/payloads")
            .filter { $0.hasSuffix(".json") && $0 != "EXPECTED.json" }.map { String($0.dropLast(5)) }
        #expect(try SampleFixture.all().map(\.name).sorted() == files.sorted())
        #expect(files.count >= 32)
    }

    @Test(arguments: try SampleFixture.all())
    func `the reading of a sample has the expected values`(sample: SampleFixture) throws {
        let (request, error) = sample.request(at: ManualClock())
        #expect(error == nil)
        let payload = DialectTable.standard.read(request.payload, requested: request.dialect)
        let expected = sample.expected
        #expect(payload.dialect?.description == expected["dialect"]?.string)
        #expect(payload.detectedBy == expected["detected_by"]?.string)
        #expect(!sample.sender.isEmpty && !sample.format.isEmpty)
        let media = try #require(expected["media"]?.array)
        #expect(payload.media.map(\.url) == media.map { $0["url"]?.string })
        #expect(payload.media.map(\.identifier) == media.map { $0["id"]?.string })
        #expect(payload.media.map(Self.role) == media.map { $0["role"]?.string })
        for (found, expected) in zip(payload.media, media) where expected["hint"] != nil {
            #expect(found.declaredType?.description == expected["hint"]?.string)
        }
        // The value at the path of a media item is its URL, and can be replaced. A media item whose bytes are in the
        // payload gets its public URL at another key.
        for item in payload.media where item.publicURLKey == nil {
            let path = try #require(item.path)
            let replaced = JSONValue.object(request.payload).replacing(path, with: "https://replaced.example/")
            let again = DialectTable.standard.read(try #require(replaced.object), requested: payload.dialect)
            #expect(again.media.contains { $0.url == "https://replaced.example/" && $0.path == path })
        }
        #expect(payload.successText == Self.text(expected["on_success_text"]))
        if let wouldRun = expected["nse_would_run"]?.bool {
            #expect((payload.aps.mutableContent && payload.aps.hasVisibleAlert) == wouldRun)
        }
    }

    @Test(arguments: try SampleFixture.all())
    func `a sample whose media all fail has the expected fallback text`(sample: SampleFixture) async throws {
        let media = try #require(sample.expected["media"]?.array)
        let urls = media.compactMap { $0["url"]?.string }.flatMap(MediaURLResolver.locations)
        let answers = urls.map { ($0, FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "404"))) }
        let bench = PipelineBench(Dictionary(answers) { first, _ in first })
        let notification = try #require(try await bench.process(sample.request(at: bench.clock).request).first)
        #expect(notification.text == Self.text(sample.expected["fallback_text"]))
        #expect(notification.attachments.isEmpty)
        #expect(notification.verdicts.map(\.url) == media.map { $0["url"]?.string })
        // Icons do not count as media of an iPhone's notification.
        let hasMedia = media.contains { !["icon", "badge"].contains($0["role"]?.string?.prefix { $0 != ":" } ?? "") }
        #expect(notification.outcome == (hasMedia ? .fallback : .passthrough))
    }

    @Test func `the native sample is read as an envelope with the expected values`() throws {
        let sample = try #require(try SampleFixture.all().first { $0.name == "native" })
        let request = sample.request(at: ManualClock()).request
        #expect(request.id.description == "native-1")
        #expect(request.appGroup.description == "group.com.example.app")
        #expect(request.budget.length == .seconds(5))
        #expect(request.fallback == NotificationText(title: "New photo", body: "Open the app to see it"))
        #expect(request.payload["payload"] == nil)
    }

    private static func role(of item: MediaReference) -> String {
        item.role.rawValue + (item.platform.map { ":\($0.rawValue)" } ?? "")
    }

    private static func text(_ value: JSONValue?) -> NotificationText {
        NotificationText(
            title: value["title"]?.string, subtitle: value["subtitle"]?.string, body: value["body"]?.string)
    }
}
