import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of downloads that do not end in time, and are shown as far as they have arrived.
@Suite(.timeLimit(.minutes(1))) struct PartialMediaTests {
    private static let url = "https://a.example/1"
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#
    private static let late = MediaFailure(.budgetExceeded, "the origin stood still")

    /// Processes a request whose download ends after a still was made of its first bytes, and before the deadline.
    private static func notification(
        of wanted: NotificationRequest, in bench: PipelineBench, arrivingAfterItsPart gate: Gate
    ) async throws -> ProcessedNotification {
        let request = bench.start(wanted)
        bench.executor.turn()
        bench.turn(to: wanted.budget.stagesEnd - .milliseconds(999))
        bench.executor.letGo()
        gate.open()
        return try #require(try await request.value.first)
    }

    @Test func `the still image of an unfinished download is shown at the deadline`() async throws {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .arrives(gate)])
        let wanted = try bench.request(Self.payload, budget: .seconds(10))
        let end = wanted.budget.stagesEnd
        let request = bench.start(wanted)
        bench.executor.turn()
        bench.turn(to: end - .milliseconds(1_001))
        #expect(bench.transcoder.calls.isEmpty && bench.emissions.isEmpty)
        bench.turn(to: end - .milliseconds(999))
        #expect(bench.transcoder.calls.map(\.source.isPart) == [true])
        #expect(bench.emissions.isEmpty)
        bench.turn(to: end)
        bench.executor.letGo()
        gate.open()
        let notification = try #require(try await request.value.first)
        #expect(notification.outcome == .partial && notification.reason == .budgetExceeded)
        #expect(notification.attachments.first?.reduction?.kind == .part)
        #expect(bench.emissions.count == 1 && bench.store.remembered.isEmpty)
        #expect(bench.transcoder.reserved == 0)
    }

    @Test func `a complete download replaces the still image that was made from its received first bytes`() async throws
    {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .arrives(gate)])
        let wanted = try bench.request(Self.payload, budget: .seconds(10))
        let notification = try await Self.notification(of: wanted, in: bench, arrivingAfterItsPart: gate)
        #expect(notification.outcome == .rich)
        #expect(bench.transcoder.calls.map(\.source.isPart) == [true, false])
    }

    @Test func `the first bytes of a download that breaks off before the deadline are shown at once`()
        async throws
    {
        let bench = PipelineBench([Self.url: .breaksOff(Self.late)])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .partial && notification.reason == .budgetExceeded)
        #expect(notification.attachments.first?.reduction?.kind == .part)
    }

    @Test(arguments: [.httpStatus, .truncated, .connectionLost, .connectFailed, .hostResting] as [DegradationReason])
    func `the first bytes of a failed download are shown, with the reason of the failure`(_ reason: DegradationReason)
        async throws
    {
        let bench = PipelineBench([Self.url: .breaksOff(MediaFailure(reason, "it failed"))])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .partial && notification.reason == reason)
        let attachment = try #require(notification.attachments.first)
        #expect(attachment.reduction?.kind == .part && attachment.recipe == nil)
        #expect(
            attachment.reduction?.detail == "it failed; only the first bytes of the file are shown: a still")
        #expect(bench.transcoder.calls.map(\.source.isPart) == [true] && bench.store.remembered.isEmpty)
        #expect(bench.transcoder.reserved == 0)
    }

    @Test(arguments: [.tooLarge, .unsupportedMedia, .cancelled, .storageFailed] as [DegradationReason])
    func `the bytes of a refused download are not shown`(_ reason: DegradationReason) async throws {
        let bench = PipelineBench([Self.url: .breaksOff(MediaFailure(reason, "it failed"))])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .fallback && notification.reason == reason)
        #expect(bench.transcoder.calls.isEmpty)
    }

    @Test func `the result of a download that fails without a byte has the fallback text and a reason`() async throws {
        let bench = PipelineBench([Self.url: .failure(MediaFailure(.connectionLost, "it failed"))])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .fallback && notification.reason == .connectionLost)
        #expect(bench.transcoder.calls.isEmpty)
    }

    @Test(arguments: [Self.late, MediaFailure(.truncated, "it failed")])
    func `the result of undecodable first bytes has the fallback text and the reason`(_ failure: MediaFailure)
        async throws
    {
        let bench = PipelineBench(
            [Self.url: .breaksOff(failure)],
            transcoder: FakeTranscoder(["": .failure(MediaFailure(.corruptMedia, "cut"))]))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .fallback && notification.reason == failure.reason)
        #expect(bench.transcoder.calls.count == 1)
        #expect(notification.verdicts.map(\.stillFailure?.detail) == ["cut"])
    }

    @Test func `no still image is made if the pool refuses the job`() async throws {
        let bench = PipelineBench(
            [Self.url: .arrives(Gate())], transcoder: FakeTranscoder(refusing: MediaFailure(.overloaded, "busy")))
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.reason == .overloaded && bench.transcoder.calls.isEmpty)
    }

    /// No worker could process the whole file in time, and the thumbnail was ready at once.
    @Test func `a thumbnail does not replace an attachment whose first bytes are shown`() async throws {
        let gate = Gate()
        let bench = PipelineBench(
            [Self.url: .arrives(gate)],
            transcoder: FakeTranscoder([Self.url: .failure(MediaFailure(.budgetExceeded, "the workers had no time"))]))
        let wanted = try bench.request(
            #"{"aps":{"alert":"B"},"media":[{"url":"\#(Self.url)"},{"url":"https://a.example/2","role":"thumbnail"}]}"#,
            budget: .seconds(10))
        let notification = try await Self.notification(of: wanted, in: bench, arrivingAfterItsPart: gate)
        #expect(notification.attachments.map(\.sourceURL) == [Self.url])
        #expect(notification.attachments.first?.reduction?.kind == .part)
        #expect(notification.reasons == [nil, .otherProfile] && notification.outcome == .partial)
        #expect(bench.fetcher.calls.map(\.url) == [Self.url])
    }

    @Test func `warming makes no still images of unfinished downloads`() async throws {
        let bench = PipelineBench([Self.url: .breaksOff(Self.late)])
        let warmed = await bench.warm(try bench.request(Self.payload))
        #expect(warmed.map(\.failure?.reason) == [.budgetExceeded])
        #expect(bench.transcoder.calls.isEmpty)
    }
}
