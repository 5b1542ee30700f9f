import Digests
import LinuxIO
import NotificationModel
import Primitives

/// The part of the pool that refuses blocked media. A file is blocked for some time after it crashed a worker, and a
/// host is blocked after several of its files crashed workers (`CrashHistory`).
extension TranscodePool {
    /// Checks whether a request's file or host is blocked.
    ///
    /// - Throws: `worker-crashed` if the file or its host is blocked.
    /// - Returns: The number of crashes so far.
    func checkRest(of request: TranscodeRequest) async throws(MediaFailure) -> Int {
        let flow = Self.flow(of: request)
        let byteCount = request.source.byteCount
        let (crashCount, mayRest, hostRest) = scheduler.state.withLock { scheduler in
            let crashes = scheduler.crashes
            return (crashes.count, crashes.mayRest(byteCount), crashes.rest(of: CrashHistory.Origin(flow), at: .now))
        }
        if let hostRest {
            observer(.rested)
            throw .resting(flow.host, for: hostRest)
        }
        guard mayRest, let file = await Self.file(of: request.source),
            let left = scheduler.state.withLock({ $0.crashes.rest(of: file, at: .now) })
        else { return crashCount }
        observer(.rested)
        throw MediaFailure(
            .workerCrashed, "not tried: this file crashed a worker, and is tried again in \(left.minutesInWords)")
    }

    /// Records that a file crashed its worker.
    func rest(_ request: TranscodeRequest) async {
        guard let file = await Self.file(of: request.source) else { return }
        let flow = Self.flow(of: request)
        let origin = CrashHistory.Origin(flow)
        let hostResting = scheduler.state.withLock { scheduler in
            scheduler.crashes.note(file, from: origin, at: .now)
            return scheduler.crashes.rest(of: origin, at: .now) != nil
        }
        observer(.crashed(digest: file.hexDigest, host: flow.host, group: flow.group, hostResting: hostResting))
    }

    static func flow(of request: TranscodeRequest) -> TranscodeFlow {
        (request.permit as? PoolPermit)?.flow ?? TranscodeFlow(group: .default, host: "")
    }

    /// Reads the file, but not on the pool's thread.
    ///
    /// - Returns: `nil` if the file cannot be read.
    @concurrent private static func file(of media: FetchedMedia) async -> CrashHistory.File? {
        var digest = SHA256()
        do throws(SystemError) {
            try FileSystem.forEachChunk(of: media.file) { digest.update($0.span) }
        } catch {
            return nil
        }
        return CrashHistory.File(digest: digest.finalize(), byteCount: media.byteCount)
    }
}

extension CrashHistory.File {
    fileprivate var hexDigest: String {
        Hexadecimal.text(of: digest)
    }
}

extension MediaFailure {
    /// Returns the failure for media of a blocked host. Such media are not downloaded.
    static func resting(_ host: String, for left: Duration) -> MediaFailure {
        MediaFailure(
            .workerCrashed,
            "not tried: three files of \(host) crashed workers, and its media are tried again in \(left.minutesInWords)"
        )
    }
}

extension Duration {
    /// The duration in whole minutes, rounded up, as in `12 min`.
    fileprivate var minutesInWords: String { "\(Int((seconds / 60).rounded(.up))) min" }
}
