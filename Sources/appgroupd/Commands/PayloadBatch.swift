import JSON
import LinuxIO
import NotificationModel
import NotificationProcessor

/// What there is to tell of one payload, or of a file that holds none.
struct PayloadEvent: Sendable {
    var notification: ProcessedNotification?
    /// A sentence for standard error; it means that the work failed.
    var problem: String?
}

/// Payload files on their way through the pipeline: all are read and in flight together.
struct PayloadBatch: Sendable {
    enum Telling: Sendable {
        case payload(PayloadPlace, PayloadEvent)
        /// The file holds so many objects.
        case read(file: Int, count: Int)
        /// Somebody asked the program to end.
        case interrupted
        /// Everything has been told, and nothing is left behind.
        case ended
    }

    /// What one payload needs of the descriptors that this process may open: connections, downloads, renditions.
    private static let descriptorsEach = 24

    let pipeline: NotificationPipeline
    let reader: EnvelopeReader
    let clock: any RequestClock
    /// `--id`: of the only payload.
    let id: RequestID?
    let telling: AsyncStream<Telling>.Continuation
    /// Payloads at a time. More would only wait for each other's connections, or for descriptors.
    let mostInFlight = max(1, min(256, ResourceLimits.openFiles / descriptorsEach))

    /// Tells of each object at its emission.
    func run(_ files: [String]) async {
        defer { telling.finish() }
        let filesInFlight = max(1, min(files.count, mostInFlight))
        guard let threads = try? PayloadThreads() else {
            telling.yield(.payload(PayloadPlace(file: 0, object: 0), PayloadEvent(problem: "no thread can be started")))
            return
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, file) in files.enumerated() {
                if index >= filesInFlight { await group.next() }
                let payloads: PayloadSource
                do throws(SystemError) { payloads = try threads.source(of: file) } catch {
                    telling.yield(
                        .payload(PayloadPlace(file: index, object: 0), PayloadEvent(problem: "\(file): \(error)")))
                    telling.yield(.read(file: index, count: 1))
                    continue
                }
                group.addTask { await run(payloads, of: file, index, inFlight: max(1, mostInFlight / filesInFlight)) }
            }
        }
        telling.yield(.ended)
    }

    private func run(_ source: PayloadSource, of file: String, _ index: Int, inFlight most: Int) async {
        var payloads = PayloadFile(source)
        await withTaskGroup(of: Void.self) { group in
            var place = PayloadPlace(file: index, object: 0)
            while !Task.isCancelled, let object = await payloads.next() {
                if place.object >= most { await group.next() }
                group.addTask { [place] in await process(object, of: file, at: place) }
                place.object += 1
            }
            telling.yield(.read(file: index, count: place.object))
        }
    }

    private func process(
        _ object: Result<JSONObject, PayloadFile.Problem>, of file: String, at place: PayloadPlace
    ) async {
        @Sendable func tell(_ notification: ProcessedNotification? = nil, _ problem: String? = nil) {
            let event = PayloadEvent(notification: notification, problem: problem.map { "\(file): \($0)" })
            telling.yield(.payload(place, event))
        }
        switch object {
        case .failure(let problem): return tell(nil, problem.description)
        case .success where id != nil && place != PayloadPlace(file: 0, object: 0):
            return tell(nil, "--id names one payload, and there is another: it is left out")
        case .success(let object):
            let (request, error) = reader.request(
                from: Submission(object: object, arrival: clock.arrival, id: id))
            if let error { return tell(pipeline.reject(request, because: error.description), error.description) }
            do {
                try await pipeline.process(request) { tell($0) }
            } catch {
                tell(nil, "emitted, but not in the index: \(error.detail)")
            }
        }
    }
}
