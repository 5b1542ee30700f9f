import Base
package import NotificationModel

/// A decoder whose requests offer their results to a recorder. A daemon that records nothing has no such decoder.
package struct RecordingDecoder: RequestDecoding {
    private let base: any RequestDecoding
    private let recorder: RequestRecorder

    package init(_ base: any RequestDecoding, _ recorder: RequestRecorder) {
        self.base = base
        self.recorder = recorder
    }

    package func decode(_ submission: Submission) async throws(EnvelopeError) -> any PlannedNotification {
        let planned = try await base.decode(submission)
        return submission.body.count <= Recording.maxTextBytes
            ? RecordedNotification(base: planned, recorder: recorder) : planned
    }

    package func decode(
        _ entry: JournalEntry, at now: ClockReading, refusing refusal: MediaFailure?
    ) async -> any PlannedNotification {
        // No origin can repeat the time for which no daemon ran.
        await base.decode(entry, at: now, refusing: refusal)
    }
}

/// A planned request whose result is offered to a recorder before it is emitted.
private struct RecordedNotification: PlannedNotification {
    let base: any PlannedNotification
    let recorder: RequestRecorder

    func notification() async -> ProcessedNotification {
        let notification = await base.notification()
        recorder.offer(notification, of: base)
        return notification
    }

    func replanned() async -> any PlannedNotification {
        RecordedNotification(base: await base.replanned(), recorder: recorder)
    }

    var request: NotificationRequest { base.request }
    var providerID: String? { base.providerID }
    var thread: String? { base.thread }
    var receipt: Receipt? { base.receipt }
    var stagesEnd: MonotonicInstant { base.stagesEnd }
    var isDecided: Bool { base.isDecided }
    var isRecorded: Bool { base.isRecorded }
    func refuseIfOverloaded() async { await base.refuseIfOverloaded() }
    func noteQueue() { base.noteQueue() }
    func prepareMedia(progress: @escaping @Sendable (ProcessingStep) -> Void) async {
        await base.prepareMedia(progress: progress)
    }
    func cancel() { base.cancel() }
    func record() async throws(MediaFailure) { try await base.record() }
}
