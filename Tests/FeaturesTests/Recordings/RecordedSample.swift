import Base
import FoundationEssentials
import LinuxIO
import NotificationModel
import TestSupport

@testable import Features

/// A failed request with its result, as the daemon gives it to the recorder.
struct RecordedSample: PlannedNotification {
    static let url = "https://cdn.example/a.jpg"

    var request: NotificationRequest
    var providerID: String?
    var thread: String?
    var receipt: Receipt? { nil }
    var result: ProcessedNotification

    init(
        id: String = "msg-1", group: String = "group.default", title: String = "Rosenrot", recipient: String? = nil,
        outcome: Outcome = .fallback, reason: DegradationReason? = .httpStatus, verdicts: [Verdict] = []
    ) throws {
        let payload: JSONObject = ["title": .string(title), "media": [["url": .string(Self.url)]]]
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var request = NotificationRequest(
            id: RequestID(id) ?? .new(millisecondsSince1970: 0), appGroup: AppGroupName(group) ?? .default,
            budget: TimeBudget(received: .now, length: .seconds(5)), receivedAt: date, payload: payload)
        request.recipient = recipient
        self.request = request
        let timing = ProcessedNotification.Timing(
            receivedAt: date, budget: .seconds(5), elapsed: .milliseconds(2_000))
        result = ProcessedNotification(
            id: request.id, appGroup: request.appGroup, profile: .ios, payload: PushPayload(), outcome: outcome,
            reason: reason, text: NotificationText(title: title), verdicts: verdicts, timing: timing,
            userInfo: payload)
    }

    /// Returns the recording of the request.
    func recording() throws -> Recording {
        try Recording(result, of: request, RecordingNames(self), settings: []) { file, count in
            try FileSystem.bytes(of: file, at: 0, count: count)
        }
    }

    /// Returns a verdict with one request to an origin.
    static func verdict(
        of url: String = url, _ failure: MediaFailure?, _ transfers: [TransferTiming], stages: [Stage] = []
    ) -> Verdict {
        Verdict(url: url, identifier: "media-1", failure: failure, stages: stages, transfers: transfers)
    }

    /// Returns the timing of a request with its record.
    ///
    /// - Parameter body: The bytes of the body that have arrived; `nil` if none have.
    static func transfer(
        _ url: String = url, status: Int? = 200, failure: DegradationReason? = nil, wait: Duration? = .zero,
        fields: [String: String] = ["content-type": "image/jpeg"], body: [UInt8]? = nil, complete: Int? = nil,
        active: Duration = .zero, in directory: TemporaryDirectory? = nil
    ) throws -> TransferTiming {
        var timing = TransferTiming(origin: "https://cdn.example:443")
        (timing.status, timing.failure, timing.wait) = (status, failure, wait)
        let record = TransferRecord(url: url)
        let start = MonotonicInstant.now
        if status != nil { record.answered(completeLength: complete, at: start) { fields[$0] } }
        if let body, let directory {
            let file = try FileSystem.openForUpdate("\(directory.path)/\(UInt64.random(in: 0 ... .max))")
            try FileSystem.write(body, to: file, at: 0)
            record.received(file, byteCount: body.count, at: start + active)
        }
        timing.record = record
        return timing
    }

    // MARK: PlannedNotification

    var stagesEnd: MonotonicInstant { .now }
    var isDecided: Bool { true }
    var isRecorded: Bool { false }
    func refuseIfOverloaded() async {}
    func noteQueue() {}
    func prepareMedia(progress: @escaping @Sendable (ProcessingStep) -> Void) async {}
    func notification() async -> ProcessedNotification { result }
    func cancel() {}
    func replanned() async -> any PlannedNotification { self }
    func record() async throws(MediaFailure) {}
}
