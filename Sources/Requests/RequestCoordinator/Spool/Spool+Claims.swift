import Base
import DequeModule
import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import NotificationModel

/// The claiming of files.
extension Spool {
    /// The maximum number of names that are checked before the thread does other work: 1.4 ms of claims.
    private static let namesInATurn = 32

    /// Claims the next file, if the spool has credit for it. One name of each group is checked in turn.
    func claim() -> Claim? {
        while hasCredit, lookedCount < Self.namesInATurn, let group = line.popFirst() {
            lookedCount += 1
            group.isInLine = false
            // The group goes to the end of the queue, with the names that it has after this one.
            defer { putInLine(group) }
            guard let (name, discoveredBy) = nextName(of: group) else { continue }
            guard SpoolName.isPayload(name) else {
                if discoveredBy != .recovered, SpoolName.isMistaken(name) { reportMistaken(name, in: group) }
                continue
            }
            let file = SpoolFile(group: group.name, name: name)
            let isRecovered = discoveredBy == .recovered
            if let claim = isRecovered ? recover(file, in: group) : take(file, discoveredBy, in: group) {
                if discoveredBy == .scan { group.names.noteTaken() }
                return claim
            }
        }
        return nil
    }

    private func nextName(of group: GroupSpool) -> (name: String, observed: DiscoveredBy)? {
        do throws(SystemError) { return try group.names.next() } catch {
            warn(
                "recover \(group.name)", "a directory of an app group cannot be read: \(error)",
                metadata: ["group": "\(group.name)"])
            scanLater(group.name, in: limits.pause)
            return nil
        }
    }

    /// Renames a file from `incoming` into `claimed`, if it is complete.
    private func take(_ file: SpoolFile, _ discoveredBy: DiscoveredBy, in group: GroupSpool) -> Claim? {
        let path = group.directories.incoming(file.name)
        guard let status = try? FileSystem.look(at: path), status.kind == .regular else { return nil }
        switch ClaimDecision.about(
            discoveredBy, writers(of: path, discoveredBy), byteCount: status.byteCount, linkCount: status.linkCount,
            age: age(of: status), quiet: limits.quiet)
        {
        // No event comes for a group without a watch.
        case .leave where !group.isScanned: return nil
        case .leave, .later:
            scanLater(file.group, in: limits.quiet)
            return nil
        case .claim: break
        }
        var lease: ByteLease?
        guard takeMemory(for: file, discoveredBy, status, &lease) else { return nil }
        do throws(SystemError) { try FileSystem.move(path, to: group.directories.claimed(file.name)) } catch {
            return notTaken(file, in: group, error)
        }
        return read(Claim(file: file, arrival: clock.reading, lease: lease), in: group)
    }

    /// Returns whether a process has a file open for writing. The kernel reports a close a moment before it releases
    /// the file (`__fput` in fs/file_table.c of Linux), perhaps only while this thread sleeps.
    private func writers(of path: String, _ discoveredBy: DiscoveredBy) -> WriterStatus {
        var writers = FileSystem.writerStatus(path)
        guard discoveredBy == .closeEvent else { return writers }
        for _ in 0..<10 where writers == .open {
            usleep(100)
            writers = FileSystem.writerStatus(path)
        }
        return writers
    }

    private func notTaken(_ file: SpoolFile, in group: GroupSpool, _ error: SystemError) -> Claim? {
        if error.isNameTaken {
            guard !active.contains(file) else {
                // The claimed file with this name may still be rejected. The name is then free.
                scanLater(file.group, in: limits.quiet)
                return nil
            }
            active.insert(file)
            return Claim(file: file, arrival: clock.reading)
        }
        if error.isNoSuchFile {
            // Either the file or the directory `claimed` was removed.
            guard (try? FileSystem.look(at: group.directories.claimed)) == nil else { return nil }
            try? group.directories.make()
        } else {
            warn("claim \(file.group) \(error.errno)", "a file cannot be claimed: \(error)")
        }
        scanLater(file.group, in: limits.pause)
        return nil
    }

    /// Submits a file that an earlier daemon claimed. The time of the claim is the time of the file's last change.
    private func recover(_ file: SpoolFile, in group: GroupSpool) -> Claim? {
        // A journaled file is already being processed, perhaps under an id that its name does not show.
        guard !active.contains(file), !journaled.contains(file),
            let status = try? FileSystem.look(at: group.directories.claimed(file.name))
        else { return nil }
        do throws(SystemError) {
            if try RejectedDirectory(directories: group.directories).finish(file.name) { return nil }
        } catch {
            warn("finish \(file.group)", "a file cannot be moved to rejected: \(error)")
        }
        var lease: ByteLease?
        guard takeMemory(for: file, .recovered, status, &lease) else { return nil }
        let date = status.changeDate
        // If the clock was set back, the arrival must not be in the future.
        let age = Duration.seconds(max(0, clock.date.timeIntervalSince(date)))
        let arrival = ClockReading(instant: clock.now.advanced(by: .zero - age), date: date)
        return read(Claim(file: file, arrival: arrival, isRecovered: true, lease: lease), in: group)
    }

    /// Takes a lease for a large file, or checks the file again soon. Returns whether it may be read.
    private func takeMemory(
        for file: SpoolFile, _ discoveredBy: DiscoveredBy, _ status: FileStatus, _ lease: inout ByteLease?
    ) -> Bool {
        // A file that is too large is rejected without being read.
        guard status.byteCount > LargePayloadExecutor.threshold, status.byteCount <= limits.fileBytes else {
            return true
        }
        lease = memory.lease(status.byteCount)
        if lease == nil { checkAgain(file, discoveredBy, after: limits.memoryPause) }
        return lease != nil
    }

    private func read(_ claim: Claim, in group: GroupSpool) -> Claim? {
        var claim = claim
        let file = claim.file
        do throws(RegularFileError) {
            claim.bytes = try FileSystem.contents(
                ofRegularFile: group.directories.claimed(file.name), atMost: limits.fileBytes)
            active.insert(file)
            return claim
        } catch {
            switch error {
            case .missing: break
            case .notRegular: reject(file, PayloadError(reason: .invalidPayload, problem: error.description))
            case .tooLarge: reject(file, PayloadError(reason: .tooLarge, problem: error.description))
            case .failed(let failure) where Self.passes(failure):
                warn("read \(failure.errno)", "a file cannot be read for the moment: \(failure)")
                pause(for: limits.pause)
                if !putBack(claim) { checkAgain(file, .recovered, after: limits.pause) }
            case .failed(let failure):
                reject(
                    file, PayloadError(reason: .invalidPayload, problem: "the file cannot be read: \(failure.reason)"))
            }
            return nil
        }
    }

    /// Returns whether an error is temporary, because the system has run out of a resource.
    private static func passes(_ error: SystemError) -> Bool {
        error.isOutOfDescriptors || [ENOMEM, EAGAIN, EINTR].contains(error.errno)
    }

    /// Returns the age of a file by the kernel's clock, which may differ from the clock of requests.
    private func age(of status: FileStatus) -> Duration { .seconds(Date().timeIntervalSince(status.changeDate)) }

    // MARK: Files that are checked again

    /// Checks a file again after a pause, or earlier, together with other such files.
    func checkAgain(_ file: SpoolFile, _ discoveredBy: DiscoveredBy, after pause: Duration) {
        let instant = clock.now.advanced(by: pause)
        nextDeferred = deferred.isEmpty ? instant : min(nextDeferred, instant)
        // The next scan of `incoming`, or the next start, finds files beyond this limit.
        if deferred.count < limits.names { deferred.append((file, discoveredBy)) }
    }

    func checkDeferred(at now: MonotonicInstant) {
        guard !deferred.isEmpty, now >= nextDeferred else { return }
        for (file, discoveredBy) in deferred {
            guard let group = groups[file.group] else { continue }
            if discoveredBy == .recovered {
                group.names.recoverAgain(file.name)
            } else {
                group.names.add(file.name, discoveredBy)
            }
            putInLine(group)
        }
        deferred = []
    }
}
