import Base
import LinuxIO
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import Features

struct RequestRecorderTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws { directory = try TemporaryDirectory() }

    private func withRecorder(_ body: (RequestRecorder, EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop.start(name: "agd-recorder")
        let recorder = RequestRecorder(
            RecordingFolder(directory.path + "/recordings", quota: 1 << 20), on: loop,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { [clock] in clock.now },
            settings: { _ in [] })
        do {
            try await recorder.open()
            try await body(recorder, loop)
        } catch {
            recorder.shutdown()
            throw error
        }
        recorder.shutdown()
    }

    @Test func `results beyond the queue are dropped, and their requests do not wait`() async throws {
        try await withRecorder { recorder, loop in
            // The recorder's thread waits for this test, as for a slow disk.
            let (entered, opened) = (AsyncEvent(), AsyncEvent())
            loop.execute {
                entered.signal()
                while !opened.isSignalled { loopPause() }
            }
            await entered.wait()
            for number in 1...20 {
                let sample = try RecordedSample(id: "n-\(number)")
                recorder.offer(sample.result, of: sample)
            }
            #expect(recorder.counts == [.dropped: 4])
            opened.signal()
            await loop.perform {}
            #expect(recorder.counts == [.dropped: 4, .kept: 16])
        }
    }

    @Test func `after a failure nothing is recorded until the pause ends`() async throws {
        try await withRecorder { recorder, loop in
            let sample = try RecordedSample()
            let (folder, aside) = (directory.path + "/recordings", directory.path + "/aside")
            try FileSystem.rename(folder, to: aside)
            for _ in 1...2 {
                recorder.offer(sample.result, of: sample)
                await loop.perform {}
            }
            #expect(recorder.counts == [.failed: 1, .dropped: 1])
            try FileSystem.rename(aside, to: folder)
            clock.advance(by: RequestRecorder.pause)
            recorder.offer(sample.result, of: sample)
            await loop.perform {}
            #expect(recorder.counts == [.failed: 1, .dropped: 1, .kept: 1])
        }
    }

    @Test func `complete results cost no look at their verdicts`() async throws {
        try await withRecorder { recorder, loop in
            let sample = try RecordedSample(outcome: .rich, reason: nil)
            recorder.offer(sample.result, of: sample)
            await loop.perform {}
            #expect(recorder.counts == [:])
        }
    }
}

/// Lets other threads run.
private func loopPause() { _ = FileSystem.isDirectory("/") }
