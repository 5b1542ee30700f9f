package import Base
package import NotificationModel

/// The port to the plans of lines.
package protocol BatchPlanning: Sendable {
    /// Returns the findings and the media of a line. The call sends nothing to any server.
    ///
    /// - Parameter isLinted: Whether the linter checks the line.
    /// - Throws: The error of an unusable envelope.
    func plan(_ submission: Submission, linted isLinted: Bool) async throws(EnvelopeError) -> PlannedLine

    /// Fetches the media of a line and makes their renditions. They stay in the stores, and nothing is emitted.
    func fetch(_ submission: Submission) async -> [FetchedNeed]

    /// The number of media items that the workers prepare at a time.
    var workers: Int { get }
}

/// The plan for one line.
package struct PlannedLine: Sendable {
    /// The findings of the linter.
    package var findings: [JSONValue]
    package var media: [MediaNeed]
}

/// A media item that requests need in the form of one profile.
package struct MediaNeed: Sendable, Hashable {
    /// The place of the media item before the batch is sent.
    package enum Place: String, Sendable {
        /// The container has the renditions.
        case container
        /// The HTTP cache has the response.
        case cache
        case origin
    }

    package var url: String
    package var profile: String
    package var group: AppGroupName
    package var place: Place
    /// The reason why the media item is not fetched; `nil` if it is fetched.
    package var refusal: DegradationReason?
}

/// The result of fetching a media item for one profile.
package struct FetchedNeed: Sendable {
    package var url: String
    /// The size of the source, in bytes; 0 if it could not be fetched.
    package var sourceByteCount: Int
    package var failure: DegradationReason?
}

/// The dry run of a batch: it reads the lines like `BatchRun`, and makes a plan in place of requests.
struct BatchPlanRun: Sendable {
    /// The maximum number of lines whose media are fetched at a time.
    private static let maxFetches = 8

    let planner: any BatchPlanning
    let limits: BatchLimits
    let clock: any RequestClock
    let call: BatchCall
    let problem: @Sendable (BatchLineError) -> JSONValue
    /// The kind of dry run; `nil` for the plan of a batch that is sent, which needs no findings.
    let kind: DryRun?
    let rates: BatchRates.Rates
    /// The number of lines after which the plan is complete.
    var maxLines = BatchLimits.maxLines

    /// Reads the lines, and writes the findings of each.
    ///
    /// - Returns: The plan; `nil` if the task was cancelled.
    @concurrent func run(
        _ body: some AsyncSequence<[UInt8], any Error> & Sendable, write: @Sendable ([UInt8]) async -> Void
    ) async -> JSONValue? {
        let start = clock.now
        var plan = BatchPlan()
        let fetches = AsyncSemaphore(permits: Self.maxFetches)
        let fetched = await withTaskGroup(of: [FetchedNeed].self) { group in
            var reader = BatchReader(limits: limits)
            var hasAllLines = true
            do {
                for try await piece in body {
                    for entry in reader.read(piece) {
                        guard let submission = await self.plan(entry, &plan, write) else { continue }
                        guard await fetches.acquire() else { break }
                        group.addTask {
                            defer { fetches.release() }
                            return await planner.fetch(submission)
                        }
                    }
                    if Task.isCancelled || reader.hasEnded || plan.lines >= maxLines {
                        hasAllLines = false
                        break
                    }
                }
                for entry in hasAllLines ? reader.end() : [] {
                    guard let submission = await self.plan(entry, &plan, write) else { continue }
                    group.addTask { await planner.fetch(submission) }
                }
            } catch {}
            return await group.reduce(into: []) { $0 += $1 }
        }
        guard !Task.isCancelled else { return nil }
        return plan.json(
            fetched: kind == .fetch ? fetched : nil, rates, workers: planner.workers,
            elapsed: start.duration(to: clock.now))
    }

    /// Plans a line, and writes its findings.
    ///
    /// - Returns: The request whose media are to be fetched; `nil` if none of them is to be fetched.
    private func plan(
        _ entry: BatchReader.Entry, _ plan: inout BatchPlan, _ write: ([UInt8]) async -> Void
    ) async -> Submission? {
        if case .template = entry.content { return nil }
        let object: JSONObject
        var needed: Submission?
        do throws(BatchLineError) {
            let submission = try entry.submission(of: call, at: clock.reading)
            let line: PlannedLine
            do throws(EnvelopeError) { line = try await planner.plan(submission, linted: kind != nil) } catch {
                throw .unusable(error)
            }
            let isNew = plan.add(line)
            object = ["findings": .array(line.findings)]
            if isNew, kind == .fetch { needed = submission }
        } catch {
            plan.addError()
            object = ["error": problem(error)]
        }
        await write(BatchLine.result(entry.number, JSONWriter.bytes(of: .object(object))))
        return needed
    }
}

/// The plan of a batch.
struct BatchPlan {
    /// The maximum number of media items that a plan names. It counts all of them.
    private static let maxNamed = 100

    private(set) var lines = 0
    private var errors = 0
    private var findings = 0
    /// The media that the batch needs, each once for each profile and group.
    private var needs: Set<MediaNeed> = []
    /// The same media in the order of their lines.
    private var ordered: [MediaNeed] = []

    mutating func addError() {
        lines += 1
        errors += 1
    }

    /// Adds a line, and its media that no line before it needs.
    ///
    /// - Returns: Whether the line needs a media item that no line before it needs.
    mutating func add(_ line: PlannedLine) -> Bool {
        lines += 1
        findings += line.findings.count
        let before = needs.count
        for need in line.media where needs.insert(need).inserted { ordered.append(need) }
        return needs.count > before
    }

    /// Returns the JSON of the plan.
    ///
    /// - Parameter fetched: The results of the fetches; `nil` if nothing was fetched.
    func json(
        fetched: [FetchedNeed]?, _ rates: BatchRates.Rates, workers: Int, elapsed: Duration
    ) -> JSONValue {
        let results = Dictionary((fetched ?? []).map { ($0.url, $0) }) { first, _ in first }
        let media = Dictionary(grouping: ordered.filter { $0.refusal == nil }, by: \.url)
        let refused = Set(ordered.filter { $0.refusal != nil }.map(\.url))
        let profiles = Dictionary(grouping: ordered.filter { $0.refusal == nil }, by: \.profile)
        let distinct = Set(ordered.map(\.url))
        var named: Set<String> = []
        let items = ordered.filter { named.insert($0.url).inserted }.prefix(Self.maxNamed).map { need in
            item(need, profiles: media[need.url]?.map(\.profile) ?? [], results[need.url])
        }
        return [
            "lines": .number(lines), "errors": .number(errors), "findings": .number(findings),
            "media": [
                "distinct": .number(distinct.count), "refused": .number(refused.count),
                "inContainer": .number(count(.container, media)), "inCache": .number(count(.cache, media)),
                "atOrigin": .number(count(.origin, media)), "items": .array(Array(items)),
            ],
            "renditions": .object(
                JSONObject(
                    profiles.sorted { $0.key < $1.key }.map { ($0.key, .number(Set($0.value.map(\.url)).count)) })),
            "fetched": fetched.map { fetched in
                [
                    "items": .number(fetched.count { $0.failure == nil }),
                    "failures": .number(fetched.count { $0.failure != nil }),
                    "bytes": .number(results.values.reduce(0) { $0 + $1.sourceByteCount }),
                    "ms": .number(Int(elapsed.milliseconds)),
                ]
            } ?? .null,
            "predicted": predicted(origin: fetched == nil ? count(.origin, media) : 0, rates, workers: workers),
        ]
    }

    private func count(_ place: MediaNeed.Place, _ media: [String: [MediaNeed]]) -> Int {
        // A media item that one profile still needs has to be fetched.
        media.values.count { needs in
            switch place {
            case .origin: needs.contains { $0.place == .origin }
            case .cache: needs.contains { $0.place == .cache } && !needs.contains { $0.place == .origin }
            case .container: needs.allSatisfy { $0.place == .container }
            }
        }
    }

    private func item(_ need: MediaNeed, profiles: [String], _ result: FetchedNeed?) -> JSONValue {
        [
            "url": .string(need.url), "profiles": .array(Set(profiles).sorted().map { .string($0) }),
            "place": .string(need.place.rawValue), "refusal": .text(need.refusal?.rawValue),
            "bytes": result.map { .number($0.sourceByteCount) } ?? .null,
            "failure": .text(result?.failure?.rawValue),
        ]
    }

    /// Returns the time, the bytes and the processor time that the batch will need, at the rates of earlier batches. A
    /// value is null if no earlier batch tells it.
    private func predicted(origin count: Int, _ rates: BatchRates.Rates, workers: Int) -> JSONValue {
        let requests = lines - errors
        let work = rates.line.map { $0 * requests }
        let media = count == 0 ? .zero : rates.media.map { $0 * count / max(1, min(workers, count)) }
        let processor = rates.lineProcessorTime.map { $0 * requests }
        let inWorkers = count == 0 ? .zero : rates.mediaInWorkers.map { $0 * count }
        return [
            "seconds": Self.seconds(work, media), "processorSeconds": Self.seconds(processor, inWorkers),
            "originBytes": count == 0 ? 0 : rates.mediaBytes.map { .number(Int($0 * Double(count))) } ?? .null,
        ]
    }

    private static func seconds(_ one: Duration?, _ other: Duration?) -> JSONValue {
        guard let one, let other else { return .null }
        return .number((one + other).seconds.roundedToMilliseconds)
    }
}

extension Double {
    fileprivate var roundedToMilliseconds: Double { (self * 1_000).rounded() / 1_000 }
}
