import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Renditions are shared by those who want the same ones; the part that a thumbnail shows is one of the things that may
/// differ.
@Suite(.timeLimit(.minutes(1))) struct SharedThumbnailTests {
    private func media(_ options: [String]) -> String {
        let media = options.map { #"{"url":"https://a.example/1","options":\#($0)}"# }
        return #"{"aps":{"alert":"B"},"media":[\#(media.joined(separator: ","))]}"#
    }

    private func rect(_ x: Double, _ width: Double) -> String {
        #"{"thumbnailClippingRect":{"x":\#(x),"y":0,"width":\#(width),"height":1}}"#
    }

    @Test func `media with other parts share no thumbnail`() async throws {
        let bench = PipelineBench()
        let options = [rect(0, 0.5), rect(0.5, 0.5), #"{"thumbnailHidden":true}"#, "{}"]
        let notification = try #require(try await bench.process(bench.request(media(options))).first)
        #expect(notification.attachments.count == 4)
        #expect(Set(bench.transcoder.calls.map(\.options.thumbnailKey)).count == 4)
        #expect(bench.store.records.first.map { Set($0.attachments.map(\.recipe)).count } == 4)
        // Each says what it asked for.
        #expect(notification.attachments.map(\.options.thumbnailHidden) == [false, false, true, false])
    }

    @Test func `media with the same part share it, however it is written`() async throws {
        let bench = PipelineBench()
        let options = [rect(0.5, 0.5), rect(0.5, 1)]
        let notification = try #require(try await bench.process(bench.request(media(options))).first)
        #expect(notification.attachments.count == 2)
        #expect(bench.transcoder.calls.count == 1)
        #expect(notification.attachments.map(\.options.thumbnailClippingRect?.width) == [0.5, 1])
    }

    @Test func `a rectangle that shows nothing is echoed and changes nothing`() async throws {
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(media([rect(0, 0), "{}"]))).first)
        #expect(bench.transcoder.calls.count == 1)
        #expect(notification.attachments.map { $0.options.thumbnailClippingRect?.width } == [0, nil])
    }
}
