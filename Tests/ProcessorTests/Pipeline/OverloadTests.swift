import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of media that no worker can process before the deadline.
@Suite(.timeLimit(.minutes(1))) struct OverloadTests {
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#
    private static let overloaded = MediaFailure(.overloaded, "the workers are busy")

    @Test func `a media item without a permit is not transcoded, and the fallback text is emitted`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(refusing: Self.overloaded))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .fallback && notification.reason == .overloaded)
        #expect(notification.verdicts.first?.failure == Self.overloaded)
        #expect(bench.transcoder.calls.isEmpty && bench.transcoder.reserved == 0)
    }

    @Test func `a request fetches again if the request that began the shared download was refused a permit`()
        async throws
    {
        let bench = PipelineBench(["https://a.example/1": .refusedOnce(Self.overloaded)])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .rich)
        #expect(bench.fetcher.calls.count == 2)
    }

    @Test func `a stored media item needs no permit`() async throws {
        let bench = PipelineBench(
            ["https://a.example/1": .stored(.hit, identity: "body-7", isStored: true)],
            transcoder: FakeTranscoder(refusing: Self.overloaded))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .rich)
    }

    @Test func `a request is refused as overloaded before it is accepted if no media item can be ready in time`()
        async throws
    {
        let bench = PipelineBench(transcoder: FakeTranscoder(refusing: Self.overloaded))
        #expect(await bench.overload(of: try bench.request(Self.payload, budget: .seconds(1))) == Self.overloaded)
        #expect(bench.fetcher.calls.isEmpty && bench.transcoder.flows.isEmpty)
    }

    @Test func `after earlier refusals, a request with over a second left is refused at the end of a batch`()
        async throws
    {
        let bench = PipelineBench(transcoder: FakeTranscoder(refusing: Self.overloaded))
        let request = try bench.request(Self.payload, budget: .seconds(2))
        for _ in 0..<2 { #expect(await bench.overload(of: request) == Self.overloaded) }
        bench.clock.advance(by: .milliseconds(50))
        let isRefused = AsyncEvent()
        let refusal = Task {
            defer { isRefused.signal() }
            return await bench.overload(of: request)
        }
        await bench.clock.waitForSleepers()
        bench.clock.advance(by: .milliseconds(49))
        #expect(!isRefused.isSignalled)
        bench.clock.advance(by: .milliseconds(1))
        #expect(await refusal.value == Self.overloaded)
    }

    @Test func `a request is not overloaded if the workers can finish its media in time`() async throws {
        let bench = PipelineBench()
        #expect(await bench.overload(of: try bench.request(Self.payload)) == nil)
    }

    @Test(arguments: [
        #"{"media":[{"url":"https://a.example/1"}]}"#,
        #"{"media":[{"url":"https://a.example/2"},{"url":"https://a.example/1"}]}"#,
        #"{"media":[{"url":"data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs="}]}"#,
    ])
    func `a request is not overloaded if one of its media needs no download`(_ payload: String) async throws {
        let bench = PipelineBench(
            ["https://a.example/1": .stored(.hit, identity: "body-7", isStored: true)],
            transcoder: FakeTranscoder(refusing: Self.overloaded))
        #expect(await bench.overload(of: try bench.request(payload)) == nil)
    }

    @Test func `a request whose media are refused for other reasons is not overloaded`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(refusing: Self.overloaded))
        let request = try bench.request(Self.payload) { $0.permissions.download = false }
        #expect(await bench.overload(of: request) == nil)
    }

    @Test(arguments: [nil, MediaFailure(.connectFailed, "no")])
    func `a permit is released after every download`(_ failure: MediaFailure?) async throws {
        let bench = PipelineBench(failure.map { ["https://a.example/1": .failure($0)] } ?? [:])
        try await bench.process(bench.request(Self.payload))
        #expect(bench.transcoder.flows.count == 1 && bench.transcoder.reserved == 0)
    }

    @Test func `a transcode has the priority and the group of its request, and the host of its media item`()
        async throws
    {
        let bench = PipelineBench()
        let group = try #require(AppGroupName("group.b"))
        let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://u:p@A.example:8443/1?x=/@"}]}"#
        try await bench.process(
            bench.request(payload) {
                $0.priority = 5
                $0.appGroup = group
            })
        #expect(bench.transcoder.flows == [TranscodeFlow(priority: 11, group: group, host: "a.example:8443")])
    }

    @Test(
        arguments: [
            ("https://a.example", "a.example"), ("http://[::1]:80/x", "[::1]:80"),
            ("https://a.example?u=b@c", "a.example"),
            ("https://B@c@a.example#x", "a.example"), ("mxc:x", "mxc:x"), ("", ""),
        ])
    func `the host of a transcode flow is the host of the URL`(url: String, host: String) {
        #expect(TranscodeFlow(priority: 10, group: .default, url: url).host == host)
    }
}
