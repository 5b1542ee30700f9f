import Base
import FeatureKit
import Lab
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration
import TestSupport
import Testing

@testable import appgroupd

/// Tests of the whole program in this process. The tests check that cancelled and late requests leave no open resource.
@Suite(.serialized) struct CancelledRequestTests {
    private static let media = [
        "/stall/after/1000/coach/week3.mp4", "/stall/headers/photo-small.jpg", "/video-1080p.mp4", "/photo-12mp.jpg",
    ]

    @Test(arguments: [0, 1])
    func `sixty requests that end early leave no open descriptor, no child process and no file`(_ way: Int) async throws
    {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            // The threads of the cooperative pool and of Dispatch are started at their first use, and are never ended.
            try await Self.lifetime(root: root, origin: origin, byCancel: way == 0)
            let before = LeakCensus.take()
            try await Self.lifetime(root: root, origin: origin, byCancel: way == 0)
            let after = LeakCensus.take()
            #expect(after.descriptors == before.descriptors)
            #expect(after.threads <= before.threads)
            #expect(after.children.isEmpty)
        }
    }

    /// Runs the program from its start to its shutdown, with sixty requests in between.
    private static func lifetime(root: TemporaryDirectory, origin: MisbehavingOrigin, byCancel: Bool) async throws {
        var configuration = Configuration(workers: ProcessorCount.current)
        configuration.root = root.path
        configuration.fetch.allowAddresses = ["127.0.0.1"]
        let runtime = try Runtime(configuration)
        // These parts are opened once and stay open: the loops, libcurl, the workers, and the index with its first
        // rendition.
        try await complete(through: runtime, origin: origin)
        try await run(2, through: runtime, origin: origin, byCancel: byCancel)
        await settle(origin)
        let before = LeakCensus.take()
        let files = try root.mediaFiles()
        try await run(60, through: runtime, origin: origin, byCancel: byCancel)
        // The origin is in this process, too. It closes its files when each request has ended.
        await settle(origin)
        // The origin may see the end of a connection before the thread of the transfer releases the file.
        try await wait(for: "the release of all files") {
            LeakCensus.take().descriptors["nameless file", default: 0]
                <= before.descriptors["nameless file", default: 0]
        }
        let after = LeakCensus.take()
        // Connections may be kept for the next request. There may be at most as many workers as processors.
        #expect(after.children.count <= ProcessorCount.current)
        // Files of the fixtures belong to the origin. It may still read a request that was cancelled before the origin
        // accepted its connection.
        let grown = after.descriptors.filter {
            $0.value > before.descriptors[$0.key, default: 0] && !$0.key.hasPrefix(Fixtures.media)
        }
        #expect(grown.filter { $0.key != "socket" && !$0.key.hasPrefix("anon_inode") }.isEmpty, "\(before) -> \(after)")
        let leftover = try root.mediaFiles().filter { !files.contains($0) && !$0.contains("/media/") }
        #expect(leftover.isEmpty)
        await runtime.shutdown()
        try await origin.acceptEarlierConnections()
        await origin.waitUntil { $0.connectionsOpen == 0 }
    }

    private static func settle(_ origin: MisbehavingOrigin) async {
        await origin.waitUntil {
            $0.requests == $0.responsesFinished + $0.responsesCut + $0.disconnectsBeforeFinish + $0.requestsRefused
        }
    }

    /// Processes one request to the outcome `rich`.
    private static func complete(through runtime: Runtime, origin: MisbehavingOrigin) async throws {
        let clock = SystemClock()
        let request = NotificationRequest(
            id: .new(millisecondsSince1970: 0), budget: TimeBudget(received: clock.now, length: .seconds(60)),
            receivedAt: clock.date, payload: ["media": [["url": .string(origin.baseURL + "/photo-small.jpg")]]])
        try await runtime.pipeline.process(request) { #expect($0.outcome == .rich) }
    }

    private static func run(
        _ count: Int, through runtime: Runtime, origin: MisbehavingOrigin, byCancel: Bool
    ) async throws {
        let clock = SystemClock()
        let stalled = origin.counts.stallsReached
        let emitted = await withTaskGroup { group in
            let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome.self)
            for number in 0..<count {
                let references = media.map { JSONValue.object(["url": .string("\(origin.baseURL)\($0)?\(number)")]) }
                var request = NotificationRequest(
                    id: RequestID("r-\(number)") ?? .new(millisecondsSince1970: 0),
                    budget: TimeBudget(received: clock.now, length: byCancel ? .seconds(60) : .milliseconds(400)),
                    receivedAt: clock.date, payload: ["title": "t", "media": .array(references)])
                request.fallback = NotificationText(body: "fallback")
                group.addTask { [request] in
                    try? await runtime.pipeline.process(request) { outcome.yield($0.outcome) }
                }
            }
            if byCancel {
                await origin.waitUntil { $0.stallsReached > stalled }
                group.cancelAll()
            }
            await group.waitForAll()
            outcome.finish()
            var emitted: [Outcome] = []
            for await outcome in outcomes { emitted.append(outcome) }
            return emitted
        }
        #expect(emitted.count == count)
        #expect(emitted.allSatisfy { byCancel ? $0 == .cancelled : $0 == .fallback || $0 == .partial })
    }
}
