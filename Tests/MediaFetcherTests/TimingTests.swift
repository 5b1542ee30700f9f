import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of the timing of each transfer, and of the progress of a fetch.
@Suite(.timeLimit(.minutes(1))) struct TimingTests {
    private let files = CountedFiles()

    @Test func `each hop of a redirect is reported as a transfer, and hops to one host share a connection`()
        async throws
    {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = try await fixture.fetch("/redirect/2/photo-small.jpg", into: files, trace: trace).get()
            let transfers = trace.transfers
            #expect(transfers.map(\.status) == [302, 302, 200])
            #expect(transfers.map(\.isReused).first == false)
            for transfer in transfers {
                #expect(transfer.origin == fixture.origin.baseURL)
                #expect(transfer.address == "127.0.0.1")
                #expect(transfer.port == fixture.origin.port)
                #expect(transfer.protocolName == "http/1.1")
                #expect(transfer.failure == nil)
                #expect(transfer.dns == nil && transfer.tls == nil)
                #expect(transfer.wait != nil)
            }
            let count = try Fixtures.bytes("media/photo-small.jpg").count
            #expect(transfers.last?.bodyBytes == count)
            #expect(transfers.last?.wireBytes == count)
            #expect(fixture.origin.counts.connectionsAccepted == transfers.count { !$0.isReused })
        }
    }

    @Test func `a reused connection has no connection time`() async throws {
        try await OriginFixture.with { fixture in
            let traces = [StageTrace(), StageTrace()]
            for trace in traces { _ = try await fixture.fetch("/photo-small.jpg", into: files, trace: trace).get() }
            let transfers = traces.flatMap(\.transfers)
            #expect(transfers.map(\.isReused) == [false, true])
            #expect(transfers.map { $0.connect != nil } == [true, false])
            #expect(fixture.origin.counts.connectionsAccepted == 1)
        }
    }

    @Test func `each attempt is reported as a transfer with its failure`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = try await fixture.fetch(
                "/flaky/1/truncate/after/1000/photo-small.jpg", into: files, trace: trace
            ).get()
            let transfers = trace.transfers
            #expect(transfers.map(\.failure) == [.truncated, nil])
            #expect(transfers.map(\.status) == [200, 206])
            #expect(transfers.map(\.wireBytes) == [1_000, try Fixtures.bytes("media/photo-small.jpg").count - 1_000])
        }
    }

    @Test func `a failed transfer is also reported`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            await fixture.origin.stop()
            let result = await fixture.fetch("/photo-small.jpg", into: files, trace: trace)
            #expect(result.reason == .connectFailed)
            #expect(trace.transfers.map(\.failure) == [.connectFailed, .connectFailed, .connectFailed])
            #expect(trace.transfers.allSatisfy { $0.status == nil && $0.protocolName == nil && $0.wireBytes == 0 })
        }
    }

    @Test func `each stage has the time that was spent in it`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = try await fixture.fetch("/delay/200ms/drip/300ms/photo-small.jpg", into: files, trace: trace).get()
            let transfer = try #require(trace.transfers.first)
            let (wait, body) = (try #require(transfer.wait), try #require(transfer.body))
            #expect(wait >= .milliseconds(200))
            #expect(body >= .milliseconds(250))
            let stages = trace.stages()
            for (name, least) in [(StageName.wait, 200), (.body, 250)] {
                let stage = try #require(stages.first { $0.name == name })
                #expect(stage.duration >= .milliseconds(least))
            }
        }
    }

    @Test func `the time of slow headers belongs to the wait stage, and not to the body`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = try await fixture.fetch("/slow/headers/300ms/photo-small.jpg", into: files, trace: trace).get()
            let transfer = try #require(trace.transfers.first)
            let (wait, body) = (try #require(transfer.wait), try #require(transfer.body))
            #expect(wait >= .milliseconds(250) && wait > body)
            let stages = trace.stages()
            let waiting = try #require(stages.first { $0.name == .wait })
            #expect(waiting.duration >= .milliseconds(250))
            #expect(stages.filter { $0.name == .body }.allSatisfy { $0.duration < waiting.duration })
        }
    }

    @Test(arguments: [
        ("/stall/after/1000/photo-small.jpg", 200, 1_000), ("/stall/headers/photo-small.jpg", nil, 0),
    ])
    func `a transfer that runs at the deadline is reported with its progress so far`(
        _ path: String, _ status: Int?, _ count: Int
    )
        async throws
    {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            let result = await fixture.fetch(path, into: files, within: .milliseconds(300), trace: trace)
            #expect(result.reason == .budgetExceeded)
            let transfers = trace.transfers(at: .now, failure: .budgetExceeded)
            let transfer = try #require(transfers.first)
            #expect(transfers.count == 1)
            #expect(transfer.failure == .budgetExceeded)
            #expect(transfer.origin == fixture.origin.baseURL)
            #expect(transfer.address == "127.0.0.1")
            #expect(transfer.status == status)
            #expect(transfer.wireBytes == count && transfer.bodyBytes == count)
            let lasted = try #require(status == nil ? transfer.wait : transfer.body)
            #expect(lasted >= .milliseconds(100))
        }
    }

    @Test func `a transfer is reported with the time of its name resolution`() async throws {
        let names = LoopbackNames(["a.test": [[LoopbackAddress(0, 0, 1)]]])
        try await OriginFixture.with(resolver: names) { fixture in
            let trace = StageTrace()
            let url = "http://a.test:\(fixture.origin.port)/photo-small.jpg"
            _ = try await fixture.fetch(url: url, into: files, trace: trace).get()
            #expect(trace.transfers.first?.dns != nil)
            #expect(trace.transfers.first?.origin == "http://a.test:\(fixture.origin.port)")
            #expect(trace.transfers.first?.address == "127.0.0.1")
            #expect(trace.stages().map(\.name) == [.dns, .queue, .connect, .wait, .body])
        }
    }

    @Test func `an encoded body has more body bytes than wire bytes`() async throws {
        try await OriginFixture.with { fixture in
            let trace = StageTrace()
            _ = await fixture.fetch("/bomb/gzip", into: files, trace: trace)
            let transfer = try #require(trace.transfers.last)
            #expect(transfer.bodyBytes > transfer.wireBytes)
            #expect(transfer.failure == .tooLarge)
        }
    }

    @Test(arguments: [
        ("/drip/300ms/photo-small.jpg", true), ("/encoding/gzip/photo-small.jpg", false),
        ("/flaky/1/truncate/after/1000/photo-small.jpg", true),
    ])
    func `a progress sequence ends with the last byte`(_ path: String, _ isAnnounced: Bool) async throws {
        try await OriginFixture.with { fixture in
            let progress = FetchProgress()
            let task = Task { [files] in await fixture.fetch(path, into: files, progress: progress) }
            var states: [FetchProgress.State] = []
            for await state in progress { states.append(state) }
            let count = try await task.value.get().byteCount
            #expect(states.last?.receivedBytes == count)
            #expect(states.map(\.receivedBytes) == states.map(\.receivedBytes).sorted())
            for state in states { #expect(state.expectedBytes == (isAnnounced ? count : nil)) }
        }
    }

    @Test(arguments: ["/status/404/photo-small.jpg", "/stall/after/1000/photo-small.jpg"])
    func `a progress sequence ends with a failed fetch`(_ path: String) async throws {
        try await OriginFixture.with { fixture in
            let progress = FetchProgress()
            let task = Task { [files] in
                await fixture.fetch(path, into: files, within: .milliseconds(300), progress: progress)
            }
            for await state in progress { #expect(state.receivedBytes <= 1_000) }
            #expect(await task.value.reason != nil)
        }
    }
}
