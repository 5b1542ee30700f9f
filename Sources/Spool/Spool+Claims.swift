import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import NotificationModel
import Primitives

/// The claiming of files.
extension Spool {
    /// The maximum number of names that are checked before the thread does other work.
    private static let namesInATurn = 256

    /// Claims as many files as the limits allow, with one name of each group in turn.
    func claim() -> [SpoolWork] {
        var work: [SpoolWork] = []
        var looked = 0
        while active.count < limits.inFlight, looked < Self.namesInATurn, !line.isEmpty {
            looked += 1
            let group = line.removeFirst()
            group.isInLine = false
            if let (name, discoveredBy) = nextName(of: group) {
                guard SpoolName.isPayload(name) else {
                    if discoveredBy != .recovered, SpoolName.isMistaken(name) { reportMistaken(name, in: group) }
                    putInLine(group)
                    continue
                }
                let file = SpoolFile(group: group.name, name: name)
                if let item = discoveredBy == .recovered
                    ? recover(file, in: group) : take(file, discoveredBy, in: group)
                {
                    if discoveredBy == .scan { group.names.noteTaken() }
                    work.append(item)
                }
            }
            putInLine(group)
        }
        return work
    }

    /// Takes the next name of a group. A group that needs an open directory waits while other groups use all permits
    /// for directories.
    private func nextName(of group: GroupSpool) -> (name: String, observed: DiscoveredBy)? {
        if !group.mayRead, waiting.isEmpty, reading < limits.openDirectories {
            group.mayRead = true
            reading += 1
        }
        defer {
            if !group.names.needsFolder || group.names.hasYielded { endReading(group) }
            if group.names.needsFolder, !group.mayRead, !group.isWaiting {
                group.isWaiting = true
                waiting.append(group)
            }
            if let failure = group.names.failure {
                warn(
                    "recover \(group.name)", "a directory of an app group cannot be read: \(failure)",
                    metadata: ["group": "\(group.name)"])
                scanLater(group.name, in: limits.pause)
            }
        }
        return group.nextName(othersWait: !waiting.isEmpty)
    }

    /// Records that a group needs no open directory. The group that has waited longest may open a directory instead.
    func endReading(_ group: GroupSpool) {
        guard group.mayRead else { return }
        group.mayRead = false
        reading -= 1
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        (next.isWaiting, next.mayRead) = (false, true)
        reading += 1
        putInLine(next)
    }

    /// Renames a file from `incoming` into `claimed`, if it is complete.
    private func take(_ file: SpoolFile, _ discoveredBy: DiscoveredBy, in group: GroupSpool) -> SpoolWork? {
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
        let memory = memory(for: file, discoveredBy, status)
        if case .none = memory { return nil }
        do throws(SystemError) { try FileSystem.move(path, to: group.directories.claimed(file.name)) } catch {
            return notTaken(file, in: group, error)
        }
        let arrival = Arrival(instant: clock.now, date: clock.date)
        return read(file, in: group, arrival: arrival, memory, isRecovered: false)
    }

    /// Returns whether a process has a file open for writing. The kernel reports a close a moment before it releases
    /// the file (`__fput` in fs/file_table.c of Linux). The closing process may get processor time only while this
    /// thread sleeps.
    private func writers(of path: String, _ discoveredBy: DiscoveredBy) -> WriterStatus {
        var writers = FileSystem.writerStatus(path)
        guard discoveredBy == .closeEvent else { return writers }
        for _ in 0..<10 where writers == .open {
            usleep(100)
            writers = FileSystem.writerStatus(path)
        }
        return writers
    }

    private func notTaken(_ file: SpoolFile, in group: GroupSpool, _ error: SystemError) -> SpoolWork? {
        if error.isNameTaken {
            guard !active.contains(file) else {
                // The claimed file with this name may still be rejected. The name is then free.
                scanLater(file.group, in: limits.quiet)
                return nil
            }
            active.insert(file)
            return .askAbout(file)
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
    private func recover(_ file: SpoolFile, in group: GroupSpool) -> SpoolWork? {
        // A journaled file is already being processed, perhaps under an id that its name does not show.
        guard !active.contains(file), !journaled.contains(file),
            let status = try? FileSystem.look(at: group.directories.claimed(file.name))
        else { return nil }
        do throws(SystemError) {
            if try RejectedDirectory(directories: group.directories).finish(file.name) { return nil }
        } catch {
            warn("finish \(file.group)", "a file cannot be moved to rejected: \(error)")
        }
        let memory = memory(for: file, .recovered, status)
        if case .none = memory { return nil }
        let date = status.changeDate
        // If the clock was set back, the arrival must not be in the future.
        let age = Duration.seconds(max(0, clock.date.timeIntervalSince(date)))
        let arrival = Arrival(instant: clock.now.advanced(by: .zero - age), date: date)
        return read(file, in: group, arrival: arrival, memory, isRecovered: true)
    }

    /// The result of a request for memory for a file.
    private enum MemoryLease {
        case notNeeded
        case leased(ByteLease)
        case none

        var lease: ByteLease? { if case .leased(let lease) = self { lease } else { nil } }
    }

    /// Takes a lease for a large file. A file that gets no lease is tried again soon.
    private func memory(for file: SpoolFile, _ discoveredBy: DiscoveredBy, _ status: FileStatus) -> MemoryLease {
        // A file that is too large is rejected without being read.
        guard status.byteCount > LargePayloadExecutor.threshold, status.byteCount <= limits.fileBytes else {
            return .notNeeded
        }
        if let lease = memory.lease(status.byteCount) { return .leased(lease) }
        if waitingForMemory.isEmpty { nextMemoryCheck = clock.now.advanced(by: limits.memoryPause) }
        // The next scan of the directory finds files beyond this limit.
        if waitingForMemory.count < limits.names { waitingForMemory.append((file, discoveredBy)) }
        return .none
    }

    /// Puts large files that got no lease back into the queues of names.
    func takeUpWaitingForMemory(at now: MonotonicInstant) {
        guard !waitingForMemory.isEmpty, now >= nextMemoryCheck else { return }
        for (file, discoveredBy) in waitingForMemory {
            guard let group = groups[file.group] else { continue }
            if discoveredBy == .recovered {
                group.names.recoverAgain(file.name)
            } else {
                group.names.add(file.name, discoveredBy)
            }
            putInLine(group)
        }
        waitingForMemory = []
    }

    private func read(
        _ file: SpoolFile, in group: GroupSpool, arrival: Arrival, _ memory: MemoryLease, isRecovered: Bool
    ) -> SpoolWork? {
        do throws(RegularFileError) {
            let bytes = try FileSystem.contents(
                ofRegularFile: group.directories.claimed(file.name), atMost: limits.fileBytes)
            active.insert(file)
            return .submit(
                Claim(file: file, arrival: arrival, bytes: bytes, isRecovered: isRecovered, lease: memory.lease))
        } catch {
            switch error {
            case .missing: break
            case .notRegular: reject(file, PayloadError(reason: .invalidPayload, problem: error.description))
            case .tooLarge: reject(file, PayloadError(reason: .tooLarge, problem: error.description))
            case .failed(let failure) where Self.passes(failure):
                warn("read \(failure.errno)", "a file cannot be read for the moment: \(failure)")
                pause(for: limits.pause)
                if isRecovered || !putBack(file) { group.names.recoverAgain(file.name) }
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
}
