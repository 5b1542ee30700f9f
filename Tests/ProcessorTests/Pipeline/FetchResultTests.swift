import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the result that an app would report to the system for a silent push.
@Suite(.timeLimit(.minutes(1))) struct FetchResultTests {
    private static let failure = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "404"))
    private static let silent = #"""
        {"aps":{"content-available":1},"media":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}]}
        """#

    private func result(
        _ payload: String, _ missing: String..., change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> JSONValue {
        let answers = missing.map { ("https://a.example/\($0)", Self.failure) }
        let bench = PipelineBench(Dictionary(uniqueKeysWithValues: answers))
        return try #require(try await bench.process(bench.request(payload, change)).first).json
    }

    @Test func `a silent push has new data if a media item is prefetched`() async throws {
        for content in [try await result(Self.silent), try await result(Self.silent, "1")] {
            #expect(content["outcome"] == "prefetched")
            #expect(content["details"]["fetchResult"] == "newData")
        }
    }

    @Test func `a silent push has failed if its media fail`() async throws {
        let content = try await result(Self.silent, "1", "2")
        #expect(content["outcome"] == "fallback")
        #expect(content["details"]["fetchResult"] == "failed")
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1}}"#,
        #"{"notification":{"counts":{"unread":2},"devices":[{"data":{"default_payload":{"aps":{"content-available":1}}}}]}}"#,
    ])
    func `a silent push without media has no data`(payload: String) async throws {
        let content = try await result(payload)
        #expect(content["outcome"] == "passthrough")
        #expect(content["details"]["fetchResult"] == "noData")
    }

    @Test func `a silent push whose media are not wanted has no data`() async throws {
        let changes: [@Sendable (inout NotificationRequest) -> Void] = [
            { $0.permissions.service = false }, { $0.permissions.download = false },
            {
                $0.permissions.wifiOnly = true
                $0.network = .cellular
            }, { $0.headers = ["apns-expiration": 1] },
        ]
        for change in changes {
            let content = try await result(Self.silent, change: change)
            #expect(content["details"]["fetchResult"] == "noData", "\(JSONWriter.text(of: content))")
        }
    }

    @Test func `a cancelled silent push has failed`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls, "https://a.example/2": .stalls])
        let task = bench.start(try bench.request(Self.silent))
        bench.executor.turn()
        task.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map { $0.json["details"]["fetchResult"] } == ["failed"])
    }

    @Test(arguments: [
        SamplePayloads.plain, #"{"aps":{"alert":"A","content-available":1}}"#,
        #"{"notification":{"counts":{"unread":2},"devices":[]}}"#,
        #"{"eventId":"e","name":"conversationMessage.read","payload":{"messageId":"m"}}"#,
    ])
    func `a push that shows something, and an event without media, have no result of a fetch`(payload: String)
        async throws
    {
        #expect(try await result(payload)["details"]["fetchResult"] == nil)
    }
}
