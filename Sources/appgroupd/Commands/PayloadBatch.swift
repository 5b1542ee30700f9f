import JSON
import LinuxIO
import NotificationModel
import NotificationProcessor
import Warming

/// What there is to tell of one payload, or of a file that holds none.
struct PayloadEvent: Sendable {
    /// A processed content, and where its payload was read.
    struct Content: Sendable {
        var notification: ProcessedNotification
        var input: PayloadInput
    }

    var content: Content?
    /// A sentence for standard error; it means that the work failed.
    var problem: String?
}

/// Payload files on their way through the pipeline: all are read and in flight together.
struct PayloadBatch: Sendable {
    enum Telling: Sendable {
        /// A payload was read.
        case begun
        case payload(PayloadPlace, PayloadEvent)
        /// The file holds so many objects.
        case read(file: Int, count: Int)
        /// The reading has ended before the input did: the file, the line of the last payload that was read from it (0:
        /// none), and the number of files after it that were not opened.
        case unread(PayloadInput, index: Int, further: Int)
        /// Somebody asked the program to end.
        case interrupted
        /// It is time to show how far the work is.
        case tick
        /// Everything has been told, and nothing is left behind.
        case ended
    }

    /// What one payload needs of the descriptors that this process may open: connections, downloads, renditions.
    private static let descriptorsEach = 24

    let pipeline: NotificationPipeline
    let rules: PayloadRules
    let reader: EnvelopeReader
    let clock: any RequestClock
    /// `--id`: of the only payload.
    let id: RequestID?
    /// The turns from which budgets count; `nil`: they count from the reading.
    let turns: HostTurns?
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
                guard !Task.isCancelled else {
                    telling.yield(
                        .unread(PayloadInput(file: file, line: 0), index: index, further: files.count - index - 1))
                    break
                }
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
            while true {
                guard !Task.isCancelled else {
                    let last = PayloadInput(file: file, line: place.object > 0 ? payloads.line : 0)
                    // A pipe may keep its reader waiting, so it counts as unread.
                    let isRead = FileSystem.isRegularFile(file) ? await payloads.next() == nil : false
                    if !isRead { telling.yield(.unread(last, index: index, further: 0)) }
                    break
                }
                guard let object = await payloads.next() else { break }
                if place.object >= most { await group.next() }
                telling.yield(.begun)
                let input = PayloadInput(file: file, line: payloads.line)
                group.addTask { [place] in await process(object, from: input, at: place) }
                place.object += 1
            }
            telling.yield(.read(file: index, count: place.object))
        }
    }

    private func process(
        _ object: Result<JSONObject, PayloadFile.Problem>, from input: PayloadInput, at place: PayloadPlace
    ) async {
        switch object {
        case .failure(let problem):
            telling.yield(.payload(place, PayloadEvent(problem: "\(input.file): \(problem.text)")))
        case .success where id != nil && place != PayloadPlace(file: 0, object: 0):
            let problem = "\(input): --id is for one payload, and there is another one, which is left out"
            telling.yield(.payload(place, PayloadEvent(problem: problem)))
        case .success(let object):
            guard let turns else { return await process(object, from: input, at: place) }
            await turns.inTurn(at: host(of: object)) { await process(object, from: input, at: place) }
        }
    }

    /// The budget begins here.
    private func process(_ object: JSONObject, from input: PayloadInput, at place: PayloadPlace) async {
        @Sendable func tell(_ notification: ProcessedNotification?, _ problem: String? = nil) {
            let content = notification.map { PayloadEvent.Content(notification: $0, input: input) }
            let event = PayloadEvent(content: content, problem: problem.map { "\(input): \($0)" })
            telling.yield(.payload(place, event))
        }
        let (request, error) = request(of: object)
        if let error { return tell(pipeline.reject(request, because: error.description), error.description) }
        do {
            try await pipeline.process(request) { tell($0) }
        } catch {
            tell(nil, "emitted, but not in the index: \(error.detail)")
        }
    }

    private func request(of object: JSONObject) -> (request: NotificationRequest, error: EnvelopeError?) {
        reader.request(from: Submission(object: object, arrival: clock.arrival, id: id))
    }

    /// The host whose turn a payload waits for, with its port; empty if it waits for none.
    private func host(of object: JSONObject) -> String {
        let (request, error) = request(of: object)
        guard error == nil, let location = rules.firstLocation(of: request, at: clock.arrival) else { return "" }
        return MediaHost.of(location)
    }
}
