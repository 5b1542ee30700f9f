import Base
import FeatureKit
import Features
import LinuxIO
import NotificationModel
import NotificationProcessor

/// The result of one payload, or the problem of a file that has no payload.
struct PayloadEvent: Sendable {
    /// A processed content, with the position of its payload.
    struct Content: Sendable {
        var notification: ProcessedNotification
        var input: PayloadInput
    }

    var content: Content?
    /// The sentence for standard error; `nil` if the work has not failed.
    var problem: String?
}

/// The payload files of one run. Their payloads are read and processed at the same time.
struct PayloadBatch: Sendable {
    enum Telling: Sendable {
        /// A payload was read, and its processing begins.
        case begun
        case payload(PayloadPlace, PayloadEvent)
        /// The reading of the file has ended. `count` is the number of objects that were read.
        case read(file: Int, count: Int)
        /// The reading was cancelled before the end of the input. The first value is the file with the line of its last
        /// payload that was read; the line is 0 if no payload was read. The other values are the index of the file, and
        /// the number of later files that were not opened.
        case unread(PayloadInput, index: Int, further: Int)
        /// A signal asks the program to end.
        case interrupted
        /// The display of the progress is due.
        case tick
        /// All payloads are processed, and no work is left.
        case ended
    }

    /// The number of descriptors that one payload needs for connections, downloads and renditions.
    private static let descriptorsEach = 24

    let pipeline: NotificationPipeline
    /// The rules of all groups, with the flags of the command as the defaults of requests.
    let rules: GroupRules
    let clock: any RequestClock
    /// The id of `--id` for the only payload; `nil` if the flag is not given.
    let id: RequestID?
    /// The permits of the hosts. The budget of a payload starts with its permit; `nil` if it starts with the reading.
    let turns: HostShares?
    let telling: AsyncStream<Telling>.Continuation
    /// The maximum number of payloads at a time. More payloads would only wait for descriptors of the other payloads.
    let maxInFlight = max(1, min(256, ResourceLimits.openFiles / descriptorsEach))

    /// Processes the payloads of all files, and reports each result when it is emitted.
    func run(_ files: [String]) async {
        defer { telling.finish() }
        let filesInFlight = max(1, min(files.count, maxInFlight))
        guard let threads = try? PayloadThreads() else {
            return tell(PayloadEvent(problem: "no thread can be started"), at: PayloadPlace(file: 0, object: 0))
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, file) in files.enumerated() {
                if index >= filesInFlight { await group.next() }
                let input = PayloadInput(file: file, line: 0)
                guard !Task.isCancelled else {
                    telling.yield(.unread(input, index: index, further: files.count - index - 1))
                    break
                }
                do throws(SystemError) {
                    let source = try threads.source(of: file)
                    group.addTask { await run(source, of: file, index, inFlight: max(1, maxInFlight / filesInFlight)) }
                } catch {
                    tell(PayloadEvent(problem: "\(file): \(error)"), at: PayloadPlace(file: index, object: 0))
                    telling.yield(.read(file: index, count: 1))
                }
            }
        }
        telling.yield(.ended)
    }

    private func tell(_ event: PayloadEvent, at place: PayloadPlace) { telling.yield(.payload(place, event)) }

    private func run(_ source: PayloadSource, of file: String, _ index: Int, inFlight most: Int) async {
        var payloads = PayloadFile(source)
        await withTaskGroup(of: Void.self) { group in
            var place = PayloadPlace(file: index, object: 0)
            while true {
                guard !Task.isCancelled else {
                    let last = PayloadInput(file: file, line: place.object > 0 ? payloads.line : 0)
                    // A read from a pipe could block, so the input of a pipe is unread without an attempt to read it.
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
            tell(PayloadEvent(problem: "\(input.file): \(problem.text)"), at: place)
        case .success where id != nil && place != PayloadPlace(file: 0, object: 0):
            let problem = "\(input): --id is for one payload, and there is another one, which is left out"
            tell(PayloadEvent(problem: problem), at: place)
        case .success(let object):
            guard let turns else { return await process(object, from: input, at: place) }
            await turns.inTurn(at: host(of: object)) { await process(object, from: input, at: place) }
        }
    }

    /// Processes one payload. The budget of the payload starts at this call.
    private func process(_ object: JSONObject, from input: PayloadInput, at place: PayloadPlace) async {
        @Sendable func tell(_ notification: ProcessedNotification?, _ problem: String? = nil) {
            let content = notification.map { PayloadEvent.Content(notification: $0, input: input) }
            self.tell(PayloadEvent(content: content, problem: problem.map { "\(input): \($0)" }), at: place)
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
        let submission = Submission(object: object, arrival: clock.reading, id: id)
        return rules.rules(for: submission).envelopeReader.request(from: submission)
    }

    /// Returns the host for whose permit a payload waits, with its port. It is empty if it waits for none.
    private func host(of object: JSONObject) -> String {
        let (request, error) = request(of: object)
        let rules = rules.rules(for: request.appGroup)
        guard error == nil, let location = rules.firstLocation(of: request, at: clock.date) else { return "" }
        return MediaHost.of(location)
    }
}

/// The file and the line from which a payload was read.
struct PayloadInput: Sendable, CustomStringConvertible {
    /// The name of the file on the command line.
    var file: String
    /// The line on which the object begins, from 1.
    var line: Int

    var description: String { "\(file):\(line)" }

    var json: JSONValue { ["file": .string(file), "line": .number(line)] }
}
