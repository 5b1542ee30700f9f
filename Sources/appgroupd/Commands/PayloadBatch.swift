import LinuxIO
import NotificationModel
import NotificationProcessor

/// What there is to tell of one payload, or of a file that holds none.
struct PayloadEvent: Sendable {
    var notification: ProcessedNotification?
    /// A sentence for standard error; it means that the work failed.
    var problem: String?
}

/// Payload files on their way through the pipeline: read one after the other, all in flight together.
struct PayloadBatch: Sendable {
    typealias Telling = AsyncStream<(place: Int, event: PayloadEvent)>.Continuation

    /// More at a time would only wait for each other's connections.
    private static let mostInFlight = 256

    let pipeline: NotificationPipeline
    let reader: EnvelopeReader
    let clock: any RequestClock
    /// `--id`: there may be one payload only.
    let takesOne: Bool

    /// Tells of each object at its emission, with its place in the order of the arguments, and finishes the telling.
    func run(_ files: [String], telling: Telling) async {
        defer { telling.finish() }
        await withTaskGroup(of: Void.self) { group in
            var place = 0
            var inFlight = 0
            for file in files {
                for object in PayloadFile(file) {
                    if inFlight == Self.mostInFlight {
                        await group.next()
                        inFlight -= 1
                    }
                    group.addTask { [place] in await process(object, of: file, at: place, telling) }
                    place += 1
                    inFlight += 1
                }
            }
        }
    }

    private func process(
        _ object: Result<JSONObject, PayloadFile.Problem>, of file: String, at place: Int, _ telling: Telling
    ) async {
        guard case .success(let object) = object, !(takesOne && place > 0) else {
            let problem = object.problem ?? "--id names one payload, and there is another: it is left out"
            telling.yield((place, PayloadEvent(problem: "\(file): \(problem)")))
            return
        }
        let (request, error) = reader.request(from: object, at: clock.now, date: clock.date)
        if let error {
            let rejected = pipeline.reject(request, because: error.description)
            telling.yield((place, PayloadEvent(notification: rejected, problem: "\(file): \(error)")))
            return
        }
        do {
            try await pipeline.process(request) { telling.yield((place, PayloadEvent(notification: $0))) }
        } catch {
            telling.yield((place, PayloadEvent(problem: "\(file): emitted, but not in the index: \(error.detail)")))
        }
    }
}

extension Result where Failure == PayloadFile.Problem {
    fileprivate var problem: String? {
        if case .failure(let problem) = self { problem.description } else { nil }
    }
}
