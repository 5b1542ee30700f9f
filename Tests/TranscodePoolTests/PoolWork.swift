import Base
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

typealias TranscodeResult = Result<RenditionSet, MediaFailure>

/// Creates a pool for a test, and shuts it down afterwards.
func withPool<Value>(
    of executable: String = RealWorker.path, size: Int = 1,
    observing events: Record<PoolEvent>? = nil, _ body: (TranscodePool) async throws -> Value
) async throws -> Value {
    let pool = try TranscodePool(executable: executable, size: size, observer: { event in events?.append(event) })
    do {
        let value = try await body(pool)
        await pool.shutdown()
        return value
    } catch {
        await pool.shutdown()
        throw error
    }
}

/// A request for the renditions of a file.
struct PoolWork {
    var source: MediaFile
    var options = AttachmentOptions()
    var deadline = MonotonicInstant.now + .seconds(60)
    var trace = StageTrace()
    /// The bytes that the worker finds in its outputs.
    var outputContents: [UInt8] = []
    var form = MediaProfile.ios.attachment
    var outputDirectory = "/tmp"
    var hasNamedOutputs = false
    var hasOutputsInMemory = false
    /// A function that is called on the pool's thread when all outputs exist, directly before the job is submitted.
    var whenSubmitted: @Sendable () -> Void = {}

    /// Returns the work for a video that has to be encoded, which takes one or two seconds.
    static func slowVideo() throws -> PoolWork {
        var work = try PoolWork("video-1080p.mp4")
        work.form.copiedVideoSide = work.form.videoSide
        return work
    }

    init(_ fixture: String) throws { try self.init(path: "\(Fixtures.media)/\(fixture)") }

    init(path: String) throws {
        let raw = try OwnedDescriptor.adopt(open(path, O_RDONLY | O_CLOEXEC), from: "open \(path)").release()
        source = MediaFile(descriptor: raw)
    }

    func request() throws -> TranscodeRequest {
        let outputs = Record<MediaFile>()
        let count = (try? TranscodeSource.inspect(media()))?.container == .mp4 ? 3 : 2
        return TranscodeRequest(
            source: media(), form: form, options: options, deadline: deadline, trace: trace
        ) { [self] _ throws(MediaFailure) in
            do throws(SystemError) {
                let file = try output()
                try FileSystem.write(outputContents[...], to: file.descriptor)
                if outputs.append(file) == count { whenSubmitted() }
                return file
            } catch {
                throw MediaFailure(.storageFailed, error.description)
            }
        }
    }

    private func media() -> FetchedMedia {
        FetchedMedia(
            file: source, byteCount: (try? FileSystem.size(of: source)) ?? 0, declaredType: nil, identity: "source")
    }

    private func output() throws(SystemError) -> MediaFile {
        if hasOutputsInMemory { return try AnonymousFile.createInMemory() }
        guard hasNamedOutputs else { return try AnonymousFile.create(in: outputDirectory) }
        let path = "\(outputDirectory)/\(UInt64.random(in: 0 ... .max))"
        let raw = try OwnedDescriptor.adopt(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), from: "open")
        return MediaFile(descriptor: raw.release())
    }

    func run(in pool: TranscodePool) async throws -> TranscodeResult { try await pool.transcode(request()) }

    /// Begins the job, and returns when the pool has sent it to a worker or has queued it.
    func begin(in pool: TranscodePool) async throws -> Task<TranscodeResult, Never> {
        let (submitted, submit) = AsyncStream.makeStream(of: Void.self)
        var work = self
        work.whenSubmitted = { submit.yield() }
        let request = try work.request()
        let task = Task { await pool.transcode(request) }
        for await _ in submitted { break }
        // The pool's thread continues from the last output to the worker without a suspension, and runs this call only
        // afterwards.
        _ = await pool.processIdentifiers
        return task
    }
}

extension TranscodePool {
    /// The process identifier of the only worker. The property throws if the pool does not have exactly one worker.
    var onlyWorker: Int32 {
        get throws { try #require(processIdentifiers.count == 1 ? processIdentifiers.first : nil) }
    }
}

extension TranscodeResult {
    var failure: MediaFailure? { if case .failure(let failure) = self { failure } else { nil } }
    var reason: DegradationReason? { failure?.reason }
}

/// Returns whether no process has this identifier, not even a zombie.
func isGone(_ pid: Int32) -> Bool { kill(pid, 0) == -1 && errno == ESRCH }

/// A list to which any thread may append.
final class Record<Element: Sendable>: Sendable {
    private let list = Guarded<[Element]>([])

    var elements: [Element] { list.withLock { $0 } }

    /// Appends an element to the list.
    ///
    /// - Returns: The number of elements in the list.
    @discardableResult
    func append(_ element: Element) -> Int {
        list.withLock { list in
            list.append(element)
            return list.count
        }
    }
}
