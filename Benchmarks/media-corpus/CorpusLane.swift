import Base
import BenchProcess
import Foundation
import Glibc
import ImageQuality
import LinuxIO
import NotificationModel
import TranscodePool

/// The programs and the profile that a lane uses.
struct LaneSettings: Sendable {
    var worker: String
    var python: String
    var script: String
    var profile: MediaProfile
}

/// A lane is one worker and one oracle, which process one file after the other.
enum CorpusLane {
    /// The largest file that the fetcher accepts, in bytes.
    private static let maxBytes = 50 << 20

    static func run(_ settings: LaneSettings, over queue: CorpusQueue) async throws -> [CorpusEntry] {
        let oracle = try OracleProcess(python: settings.python, script: settings.script)
        let pool = try TranscodePool(executable: settings.worker, size: 1)
        let scratch = try TemporaryDirectory()
        var entries: [CorpusEntry] = []
        do {
            while let file = queue.next() {
                entries.append(try await judge(file, settings.profile, pool, oracle, scratch.path))
            }
        } catch {
            await pool.shutdown()
            throw error
        }
        await pool.shutdown()
        return entries
    }

    private static func judge(
        _ file: CorpusFile, _ profile: MediaProfile, _ pool: TranscodePool, _ oracle: borrowing OracleProcess,
        _ scratch: String
    ) async throws -> CorpusEntry {
        var entry = CorpusEntry(
            path: file.name, byteCount: file.byteCount, type: "unknown", verdict: .refused, oracle: "", milliseconds: 0)
        guard let source = file.open() else {
            entry.detail = "the file cannot be opened"
            return entry
        }
        let seen = try oracle.observed(of: source)
        switch seen {
        case .success(let observed): entry.oracle = "\(observed.format) \(observed.width)x\(observed.height)"
        case .failure(let refusal): entry.oracle = refusal.why
        }
        let (start, trace) = (MonotonicInstant.now, StageTrace())
        let result =
            file.byteCount > maxBytes
            ? .failure(MediaFailure(.tooLarge, "the file has more bytes than the fetcher accepts"))
            : await transcode(source, file.byteCount, profile, pool, scratch, trace)
        entry.milliseconds = start.duration(to: .now).milliseconds
        // The peak of the memory is reported only if a worker has processed the file.
        if trace.stages().count > 1 { entry.peakKilobytes = await peak(of: pool) }
        switch result {
        case .success(let set):
            entry.type = set.sourceType
            entry.detail = set.damage
            try judge(set, seen, profile, oracle, &entry)
        case .failure(let failure):
            entry.type = failure.sourceType ?? "unknown"
            entry.reason = failure.reason.rawValue
            entry.detail = failure.detail
            entry.unError = failure.unError?.rawValue
            switch failure.reason {
            case .workerCrashed, .internal, .storageFailed: entry.verdict = .wrong
            default: entry.verdict = (try? seen.get()) == nil ? .refused : .elsewhere
            }
        }
        return entry
    }

    private static func transcode(
        _ source: MediaFile, _ byteCount: Int, _ profile: MediaProfile, _ pool: TranscodePool, _ scratch: String,
        _ trace: StageTrace
    ) async -> Result<RenditionSet, MediaFailure> {
        await pool.transcode(
            TranscodeRequest(
                source: FetchedMedia(file: source, byteCount: byteCount, declaredType: nil, identity: "corpus"),
                form: profile.attachment, options: AttachmentOptions(), deadline: .now + .seconds(60), trace: trace
            ) { _ throws(MediaFailure) in
                do throws(SystemError) {
                    return try AnonymousFile.create(in: scratch)
                } catch {
                    throw MediaFailure(.storageFailed, error.description)
                }
            })
    }

    private static func judge(
        _ set: RenditionSet, _ seen: Result<ObservedImage, OracleRefusal>, _ profile: MediaProfile,
        _ oracle: borrowing OracleProcess, _ entry: inout CorpusEntry
    ) throws {
        entry.made = set.renditions.map { rendition in
            let info = rendition.info
            return CorpusEntry.Made(
                kind: info.kind.rawValue, type: info.type.mimeType, width: info.width, height: info.height,
                byteCount: info.byteCount)
        }
        guard case .success(let source) = seen,
            let flaws = try flaws(of: set, madeOf: source, profile, oracle)
        else {
            entry.verdict = .unjudged
            return
        }
        entry.flaws += flaws
        entry.verdict = entry.flaws.isEmpty ? .shown : .wrong
    }

    /// Compares the renditions that are images with their source, as the oracle decodes both.
    ///
    /// - Returns: The differences; `nil` if no comparison is possible. The reason is that no rendition is an image, the
    ///   source is damaged, or an image was made smaller because the time was short.
    static func flaws(
        of set: RenditionSet, madeOf source: ObservedImage, _ profile: MediaProfile, _ oracle: borrowing OracleProcess
    ) throws -> [String]? {
        let images = set.renditions.filter { $0.info.type != .mp4 }
        guard !images.isEmpty, set.damage == nil, set.reduction == nil else { return nil }
        var flaws: [String] = []
        for rendition in images {
            let info = rendition.info
            switch try oracle.observed(of: rendition.file) {
            case .failure(let refusal): flaws.append("\(info.kind): the oracle cannot read it: \(refusal.why)")
            case .success(let observed):
                flaws += ImageComparison().flaws(
                    of: observed, byteCount: info.byteCount, madeOf: source,
                    as: ImageForm(of: info.kind, frames: info.frames, as: profile.attachment)
                ).map { "\(info.kind): \($0)" }
            }
        }
        return flaws
    }

    /// Returns the peak of the worker's memory since the last call, in kilobytes.
    static func peak(of pool: TranscodePool) async -> Int? {
        await pool.processIdentifiers.first.flatMap(ProcessMemory.peakBytes(of:)).map { $0 >> 10 }
    }
}
