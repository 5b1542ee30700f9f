import Base
import Digests
import LinuxIO
import NotificationModel

/// The part of the pool that refuses blocked media. A file is blocked for some time after it crashed a worker, and a
/// host is blocked after several of its files crashed workers (`CrashHistory`).
extension TranscodePool {
    /// Throws `worker-crashed` if a request's file or its host is blocked.
    func checkCooldown(of request: TranscodeRequest) async throws(MediaFailure) {
        let mayCoolDown = scheduler.withLock { $0.crashes.mayCoolDown(request.source.byteCount) }
        let file = mayCoolDown ? await Self.file(of: request.source) : nil
        let flow = Self.flow(of: request)
        let (hostCooldown, fileCooldown) = scheduler.withLock { scheduler in
            let (crashes, origin) = (scheduler.crashes, CrashHistory.Origin(flow))
            return (crashes.cooldown(of: origin, at: .now), file.flatMap { crashes.cooldown(of: $0, at: .now) })
        }
        guard hostCooldown != nil || fileCooldown != nil else { return }
        observer(.rested)
        if let hostCooldown { throw .resting(flow.host, for: hostCooldown) }
        throw MediaFailure(
            .workerCrashed,
            "not tried: this file crashed a worker, and is tried again in \((fileCooldown ?? .zero).minutesInWords)")
    }

    /// Records that a file crashed its worker. The waiting jobs of this file or host are checked again.
    func startCooldown(for request: TranscodeRequest) async {
        guard let file = await Self.file(of: request.source) else { return }
        let flow = Self.flow(of: request)
        let origin = CrashHistory.Origin(flow)
        let hostCoolsDown = scheduler.withLock { scheduler in
            scheduler.crashes.note(file, from: origin, at: .now)
            return scheduler.crashes.cooldown(of: origin, at: .now) != nil
        }
        let digest = Hexadecimal.text(of: file.digest)
        observer(.crashed(digest: digest, host: flow.host, group: flow.group, hostResting: hostCoolsDown))
        for id in jobs.keys {
            guard let job = jobs[id], job.sent == nil else { continue }
            let isOfHost = hostCoolsDown && CrashHistory.Origin(Self.flow(of: job.request)) == origin
            if isOfHost || job.request.source.byteCount == file.byteCount { handle(.abandoned(id)) }
        }
    }

    static func flow(of request: TranscodeRequest) -> TranscodeFlow {
        (request.reservation as? PoolReservation)?.flow ?? TranscodeFlow(group: .default, host: "")
    }

    /// Reads the file on the cooperative pool, and not on the executor of the task, which may be the pool's thread.
    /// Returns `nil` if the file cannot be read.
    @concurrent private static func file(of media: FetchedMedia) async -> CrashHistory.File? {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            var digest = SHA256()
            do throws(SystemError) { try FileSystem.forEachChunk(of: media.file) { digest.update($0.span) } } catch {
                return nil
            }
            return CrashHistory.File(digest: digest.finalize(), byteCount: media.byteCount)
        }
    }
}

extension MediaFailure {
    /// Returns the failure for media of a blocked host. Such media are not downloaded.
    static func resting(_ host: String, for left: Duration) -> MediaFailure {
        let time = left.minutesInWords
        return MediaFailure(
            .workerCrashed,
            "not tried: three files of \(host) crashed workers, and its media are tried again in \(time)")
    }
}

extension Duration {
    /// The duration in whole minutes, rounded up, as in `12 min`.
    fileprivate var minutesInWords: String { "\(Int((seconds / 60).rounded(.up))) min" }
}
