import Base
import Foundation
import LinuxIO
import NotificationModel

/// A fetcher that fetches nothing. It returns the test's answers, and records the requests.
final class FakeFetcher: MediaFetching {
    enum Answer: Sendable {
        case ready
        case failure(MediaFailure)
        /// The first fetch fails because another request's reservation was refused, and later fetches succeed.
        case refusedOnce(MediaFailure)
        /// The fetch never ends by itself, and ends at once when it is cancelled.
        case stalls
        /// The fetch ends when the test opens the gate, even if it is cancelled.
        case hangs(Gate)
        case fails(MediaFailure, behind: Gate)
        /// The fetch ends when the test opens the gate. Its first bytes arrive before the gate opens.
        case arrives(Gate)
        /// The fetch fails after its first bytes.
        case breaksOff(MediaFailure)
        /// The first fetch fails because the host rests, and has the first bytes of an earlier try. The second fetch
        /// succeeds.
        case restingOnce(MediaFailure)
        /// The HTTP cache has the file already, or stores it.
        case stored(CacheStatus, identity: String, isStored: Bool)
    }

    private let answers: [String: Answer]
    private let requests = Guarded<[FetchRequest]>([])
    /// The gate that ends the rest of every host; `nil` if every rest ends after the deadline.
    private let rest: Gate?
    private let waits = Guarded<[String]>([])

    /// - Parameter answers: The answers by URL; any other URL is ready.
    init(_ answers: [String: Answer] = [:], resting rest: Gate? = nil) {
        self.answers = answers
        self.rest = rest
    }

    /// The hosts for which requests waited.
    var hostsWaitedFor: [String] { waits.withLock { $0 } }

    var calls: [FetchRequest] { requests.withLock { $0 } }

    func waitForCooldown(of host: String, until deadline: MonotonicInstant) async -> Bool {
        waits.withLock { $0.append(host) }
        guard let rest else { return false }
        await rest.wait()
        return !Task.isCancelled
    }

    func wouldDownload(_ url: String, for group: AppGroupName?) async -> Bool {
        if case .stored? = answers[url] { false } else { !InlineMedia.isReference(url) }
    }

    func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia? {
        arriving.bodies.last.map { body in
            var part = FetchedMedia(file: body.file, byteCount: 500, declaredType: nil, identity: "part")
            part.isPart = true
            return part
        }
    }

    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        let count = requests.withLock { requests in
            requests.append(request)
            return requests.count
        }
        if case .refusedOnce(let failure)? = answers[request.url], count == 1 { return .failure(failure) }
        if case .stored? = answers[request.url] {
        } else {
            do throws(MediaFailure) { try request.willDownload() } catch { return .failure(error) }
        }
        if answers[request.url] == nil, let inline = InlineMedia(request.url) {
            do throws(MediaFailure) { _ = try inline.bytes() } catch { return .failure(error) }
        }
        switch answers[request.url] ?? .ready {
        case .ready, .refusedOnce: break
        case .failure(let failure): return .failure(failure)
        case .stalls:
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
            return .failure(MediaFailure(.cancelled, "the transfer was cancelled"))
        case .hangs(let gate): await gate.wait()
        case .arrives(let gate):
            begin(request)
            await gate.wait()
            guard !Task.isCancelled else { return .failure(MediaFailure(.cancelled, "the transfer was cancelled")) }
        case .breaksOff(let failure):
            begin(request)
            return .failure(failure)
        case .restingOnce(let failure):
            guard calls.count(where: { $0.url == request.url }) == 1 else { break }
            begin(request)
            request.trace.noteResting(at: "a.example:443")
            return .failure(failure)
        case .fails(let failure, let gate):
            await gate.wait()
            return .failure(failure)
        case .stored(let cache, let identity, let isStored):
            return media(request, cache, identity: identity, isStored: isStored)
        }
        return media(request, .miss, identity: request.url, isStored: false)
    }

    private func begin(_ request: FetchRequest) {
        if let file = try? request.makeFile() {
            request.arriving?.begin(.init(file: file, url: request.url, identity: "body"))
        }
    }

    /// Returns a file whose declared type is its URL, so that the fake transcoder can identify it.
    private func media(
        _ request: FetchRequest, _ cache: CacheStatus, identity: String, isStored: Bool
    ) -> Result<FetchedMedia, MediaFailure> {
        do throws(MediaFailure) {
            let file = try request.makeFile()
            return .success(
                FetchedMedia(
                    file: file, byteCount: 1_000, declaredType: request.url, cache: cache, identity: identity,
                    isStored: isStored))
        } catch {
            return .failure(error)
        }
    }
}

/// A transcoder that makes an attachment and a thumbnail of a file, unless the test gives another answer for the file.
final class FakeTranscoder: MediaTranscoding {
    private let answers: [String: Result<[RenditionKind], MediaFailure>]
    private let requests = Guarded<[TranscodeRequest]>([])
    private let reductions: Guarded<[String: [MediaReduction]]>
    private let gate: Gate?
    private let refusal: MediaFailure?
    private let types: [String: String]
    private let damages: [String: String]
    private let reservations = Guarded<[FakeReservation]>([])

    /// Creates the transcoder with the answers of the test.
    ///
    /// - Parameter answers: The kinds of renditions, or the failure, by the URL of the source.
    /// - Parameter reductions: The reductions of the first transcodes, by the URL.
    /// - Parameter damages: The damages of the sources, by the URL.
    /// - Parameter types: The MIME types of sources, by the URL. A file without a type here is a video if its name is
    ///   that of a video, and an image otherwise.
    /// - Parameter gate: The gate that must be open before a transcode ends.
    /// - Parameter refusal: The failure of each reservation.
    init(
        _ answers: [String: Result<[RenditionKind], MediaFailure>] = [:],
        reductions: [String: [MediaReduction]] = [:], damages: [String: String] = [:], types: [String: String] = [:],
        behind gate: Gate? = nil, refusing refusal: MediaFailure? = nil
    ) {
        self.damages = damages
        self.types = types
        self.refusal = refusal
        self.answers = answers
        self.reductions = Guarded(reductions)
        self.gate = gate
    }

    var calls: [TranscodeRequest] { requests.withLock { $0 } }
    var flows: [TranscodeFlow] { reservations.withLock { $0.map(\.flow) } }
    /// The current rank of each reservation.
    var ranks: [Int] { reservations.withLock { $0.map(\.rank) } }
    /// The number of jobs that are reserved.
    var reserved: Int { reservations.withLock { $0.count(where: \.isReserved) } }

    func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure? { refusal }

    func reservation(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodeReservation {
        let reservation = FakeReservation(flow, refusal)
        reservations.withLock { $0.append(reservation) }
        return reservation
    }

    func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        requests.withLock { $0.append(request) }
        let reduction = reductions.withLock { reductions -> MediaReduction? in
            let url = request.source.declaredType ?? ""
            if request.source.isPart { return MediaReduction(ofPart: "a still") }
            guard reductions[url]?.isEmpty == false else { return nil }
            return reductions[url]?.removeFirst()
        }
        await gate?.wait()
        do throws(MediaFailure) {
            var renditions: [Rendition] = []
            let url = request.source.declaredType ?? ""
            let sourceType = types[url] ?? (MediaFormat.named(fileOf: url)?.kind == .video ? "video/mp4" : "image/heic")
            let isVideo = sourceType == "video/mp4" && reduction?.kind != .still
            for kind in try (answers[request.source.declaredType ?? ""] ?? .success([.attachment, .thumbnail])).get() {
                let type = isVideo && kind == .attachment ? MediaFormat.mp4 : .jpeg
                let info = RenditionInfo(kind: kind, type: type, byteCount: 500, width: 64, height: 48)
                renditions.append(Rendition(info: info, file: try request.makeFile(.image)))
            }
            return .success(
                RenditionSet(
                    sourceType: sourceType, renditions: renditions, reduction: reduction, damage: damages[url]))
        } catch {
            return .failure(error)
        }
    }
}

/// A reservation that records whether its job is reserved, and its rank.
final class FakeReservation: TranscodeReservation {
    let flow: TranscodeFlow
    private let refusal: MediaFailure?
    private let reserved = Guarded(false)
    private let raised = Guarded<Int?>(nil)

    init(_ flow: TranscodeFlow, _ refusal: MediaFailure?) {
        self.flow = flow
        self.refusal = refusal
    }

    var isReserved: Bool { reserved.withLock { $0 } }
    var rank: Int { raised.withLock { $0 } ?? flow.priority }

    func raise(to rank: Int) { raised.withLock { $0 = max($0 ?? flow.priority, rank) } }

    func reserve() throws(MediaFailure) {
        if let refusal { throw refusal }
        reserved.withLock { $0 = true }
    }

    func release() { reserved.withLock { $0 = false } }
}

extension PrefetchKey {
    fileprivate var forAnyone: PrefetchKey { PrefetchKey(providerID: providerID, url: url, recipe: recipe) }
}

/// A container in memory.
final class FakeStore: MediaStoring {
    enum Step: Sendable { case scratchFile, store, record, pin }

    private struct State {
        var stored = 0
        var holds: [Date] = []
        var kept: [PrefetchKey: StoredRenditions] = [:]
        var remembered: [RenditionKey: StoredRenditions] = [:]
        var pinned: [PinKey: StoredRenditions] = [:]
        var records: [MessageRecord] = []
        var groups: Set<AppGroupName> = []
    }

    private let broken: Step?
    private let gate: Gate?
    private let state = Guarded(State())

    /// Creates a container in which one step may fail.
    ///
    /// - Parameter broken: The step that always fails.
    /// - Parameter gate: The gate that must be open before a search for remembered renditions ends. The search returns
    ///   the renditions that were in the container when the search was called.
    init(broken: Step? = nil, remembersBehind gate: Gate? = nil) {
        self.broken = broken
        self.gate = gate
    }

    static let failure = MediaFailure(.storageFailed, "the disk is full")

    var records: [MessageRecord] { state.withLock { $0.records } }
    /// The end of each lease that the pipeline has requested. Leased files must not be evicted.
    var holds: [Date] { state.withLock { $0.holds } }
    var remembered: [RenditionKey: StoredRenditions] { state.withLock { $0.remembered } }
    var pinned: [PinKey: StoredRenditions] { state.withLock { $0.pinned } }
    var groups: Set<AppGroupName> { state.withLock { $0.groups } }

    func scratchFile(for use: ScratchUse, in group: AppGroupName) throws(MediaFailure) -> MediaFile {
        state.withLock { _ = $0.groups.insert(group) }
        if broken == .scratchFile { throw Self.failure }
        return MediaFile(descriptor: -1, isLinkable: false) { _ in }
    }

    func store(
        _ made: RenditionSet, of source: FetchedMedia, by recipe: RenditionRecipe, in group: AppGroupName,
        until date: Date
    ) async throws(MediaFailure) -> StoredRenditions {
        if broken == .store { throw Self.failure }
        let number = state.withLock { state in
            state.groups.insert(group)
            state.stored += 1
            state.holds.append(date)
            return state.stored
        }
        let assets = made.renditions.map { rendition in
            StoredAsset(
                info: rendition.info, sha256: "\(number)", path: "media/\(number)-\(rendition.info.kind.rawValue).jpg")
        }
        let stored = StoredRenditions(made, as: assets, of: source)
        if stored.reduction == nil, source.isStored {
            state.withLock { $0.remembered[RenditionKey(identity: source.identity, recipe: recipe)] = stored }
        }
        return stored
    }

    func find(_ keys: [StoredMediaKey], in group: AppGroupName, until date: Date) async -> StoredRenditions? {
        for key in keys {
            if let found = await find(key, until: date) { return found }
        }
        return nil
    }

    private func find(_ key: StoredMediaKey, until date: Date) async -> StoredRenditions? {
        switch key {
        case .prefetched(let key):
            return state.withLock { state in
                state.holds.append(date)
                // A stored file was fetched by a silent push for all recipients, unless its key names a recipient.
                return state.kept[key] ?? state.kept[key.forAnyone]
            }
        case .pinned(let key): return state.withLock { $0.pinned[key] }
        case .made(let key):
            let remembered = state.withLock { $0.remembered[key] }
            await gate?.wait()
            return remembered
        }
    }

    func freeSpaceForDownload() async -> Bool { false }

    func pin(
        _ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure) {
        if broken == .pin { throw Self.failure }
        state.withLock { $0.pinned[key] = media }
    }

    /// Removes the remembered renditions, as if their files were missing.
    func forget() { state.withLock { $0.remembered = [:] } }

    /// Stores renditions, as if another push had fetched them.
    func keep(_ media: StoredRenditions, as key: PrefetchKey) { state.withLock { $0.kept[key] = media } }

    func lease(_ assets: [StoredAsset], in group: AppGroupName, until date: Date) async -> Bool {
        state.withLock { $0.holds.append(date) }
        return true
    }

    func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure) {
        if broken == .record { throw Self.failure }
        state.withLock { state in
            state.groups.insert(group)
            state.records.append(message)
        }
    }
}
