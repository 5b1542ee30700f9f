import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that requests for the same rendition share this rendition. Renditions may differ in the part that a thumbnail
/// shows.
@Suite(.timeLimit(.minutes(1))) struct SharedThumbnailTests {
    private func media(_ options: [String]) -> String {
        let media = options.map { #"{"url":"https://a.example/1","options":\#($0)}"# }
        return #"{"aps":{"alert":"B"},"media":[\#(media.joined(separator: ","))]}"#
    }

    private func rect(_ x: Double, _ width: Double) -> String {
        #"{"thumbnailClippingRect":{"x":\#(x),"y":0,"width":\#(width),"height":1}}"#
    }

    @Test func `media items with different thumbnail options share no thumbnail`() async throws {
        let bench = PipelineBench()
        let options = [rect(0, 0.5), rect(0.5, 0.5), #"{"thumbnailHidden":true}"#, "{}"]
        let notification = try #require(try await bench.process(bench.request(media(options))).first)
        #expect(notification.attachments.count == 4)
        #expect(Set(bench.transcoder.calls.map(\.options.thumbnailKey)).count == 4)
        #expect(bench.store.records.first.map { Set($0.attachments.map(\.recipe)).count } == 4)
        // Each attachment has its own options.
        #expect(notification.attachments.map(\.options.thumbnailHidden) == [false, false, true, false])
    }

    @Test func `media items whose clipping rectangles show the same part of the image share a thumbnail`() async throws
    {
        let bench = PipelineBench()
        let options = [rect(0.5, 0.5), rect(0.5, 1)]
        let notification = try #require(try await bench.process(bench.request(media(options))).first)
        #expect(notification.attachments.count == 2)
        #expect(bench.transcoder.calls.count == 1)
        #expect(notification.attachments.map(\.options.thumbnailClippingRect?.width) == [0.5, 1])
    }

    @Test func `an empty clipping rectangle is returned in the result, and has no other effect`() async throws {
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(media([rect(0, 0), "{}"]))).first)
        #expect(bench.transcoder.calls.count == 1)
        #expect(notification.attachments.map { $0.options.thumbnailClippingRect?.width } == [0, nil])
    }
}
