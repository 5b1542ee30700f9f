import LinuxIO
import Logging
import NotificationModel
import Primitives

/// The handling of the coordinator's answers about claimed files.
extension Spool {
    func settle(_ claim: Claim, _ verdict: ClaimOutcome) {
        defer { changed() }
        if claim.isRetried { retried -= 1 }
        switch verdict {
        case .unusable(let why): reject(claim.file, why)
        case .admission(.unusable(let error)):
            reject(claim.file, PayloadError(reason: .invalidPayload, problem: error.problem, key: error.key))
        // The component that publishes the result removes the file.
        case .admission(.accepted), .admission(.emitted): active.remove(claim.file)
        case .admission(.joined), .admission(.conflict):
            reject(claim.file, .nameInUse)
        case .admission(.full(let retryAfter)):
            hold(claim)
            pause(for: max(retryAfter, .milliseconds(10)))
        case .admission(.closing):
            putBack(claim)
            pause(for: limits.pause)
        case .admission(.failed(let problem)):
            warn("journal", "files of the spool cannot be written to the journal: \(problem)")
            pause(for: limits.pause)
            if !putBack(claim) { hold(claim) }
        }
    }

    /// Handles a file whose name is already used by a claimed file.
    ///
    /// - Parameter state: The state of the request with the name's id in the coordinator; `nil` if the request is
    ///   unknown.
    func settle(_ file: SpoolFile, state: RequestState?) {
        defer { changed() }
        switch state {
        case .queued?, .running?: reject(file, .nameInUse, isClaimed: false)
        case .emitted?, nil:
            // The claimed file is about to be removed, and its name is free when `incoming` is read again. If an
            // envelope gave the request another id, the coordinator does not know the name. That request ends by its
            // deadline, and then the name of its file is also free.
            active.remove(file)
            scanLater(file.group, in: limits.quiet)
        }
    }

    private func hold(_ claim: Claim) {
        var claim = claim
        claim.isRetried = true
        postponed.append(claim)
    }

    // MARK: Returning of files to incoming

    func putBackPostponed() {
        for claim in postponed { putBack(claim) }
        postponed = []
    }

    /// Moves a file back, as if it had not been claimed. A file that an earlier daemon claimed is not moved, because
    /// its budget has been running since then.
    ///
    /// - Returns: Whether the claim has ended.
    @discardableResult
    private func putBack(_ claim: Claim) -> Bool {
        guard claim.isRecovered else { return putBack(claim.file) }
        if isStopping { active.remove(claim.file) }
        return isStopping
    }

    func putBack(_ file: SpoolFile) -> Bool {
        let directories = SpoolDirectories(root: root, group: file.group)
        do throws(SystemError) {
            try FileSystem.move(directories.claimed(file.name), to: directories.incoming(file.name))
        } catch {
            // Another file may have the name by now. The next start finds this file in `claimed`.
            guard isStopping || error.isNoSuchFile else { return false }
        }
        active.remove(file)
        return true
    }

    // MARK: Rejection of files

    func reject(_ file: SpoolFile, _ why: PayloadError, isClaimed: Bool = true) {
        active.insert(file)
        rejections.append(Rejection(file: file, isClaimed: isClaimed, why: why, date: clock.date))
    }

    /// Moves the files that are to be rejected, with the files of each group together.
    func reject(at now: MonotonicInstant) {
        var waiting = rejections
        rejections = []
        if !unmoved.isEmpty, now >= nextMove {
            waiting += unmoved
            unmoved = []
        }
        for (group, list) in Dictionary(grouping: waiting, by: \.file.group) {
            let directory = RejectedDirectory(directories: SpoolDirectories(root: root, group: group))
            if (try? directory.put(list)) != nil {
                for rejection in list { tell(rejection) }
            } else {
                for rejection in list { rejectAlone(rejection, in: directory) }
            }
        }
    }

    /// Rejects one file separately, so that its error does not affect the other files.
    private func rejectAlone(_ rejection: Rejection, in directory: RejectedDirectory) {
        do throws(SystemError) {
            try directory.put([rejection])
            tell(rejection)
        } catch {
            let group = rejection.file.group
            warn("reject \(group)", "unusable files cannot be moved to rejected: \(error)")
            // The move is tried again after the pause.
            if error.isDiskFull { Task { [freeSpace] in await freeSpace(1 << 20) } }
            if error.isNoSuchFile, groups[group]?.hasIncoming == true { try? directory.directories.make() }
            // The file does not count as active while it waits. The next start finds files beyond the limit.
            active.remove(rejection.file)
            if unmoved.count < limits.names { unmoved.append(rejection) }
            nextMove = clock.now.advanced(by: limits.pause)
        }
    }

    private func tell(_ rejection: Rejection) {
        active.remove(rejection.file)
        logger.notice(
            "a spooled file was rejected",
            metadata: [
                "group": "\(rejection.file.group)", "file": "\(rejection.file.name)",
                "reason": "\(rejection.why.reason.rawValue)",
            ])
    }
}
