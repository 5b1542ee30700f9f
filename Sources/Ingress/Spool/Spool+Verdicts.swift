import LinuxIO
import Logging
import NotificationModel

/// What becomes of claimed files.
extension Spool {
    func settle(_ claim: Claim, _ verdict: ClaimOutcome) {
        defer { changed() }
        if claim.isRetried { retried -= 1 }
        switch verdict {
        case .unusable(let why): reject(claim.file, why)
        case .admission(.unusable(let error)):
            reject(claim.file, PayloadError(reason: .invalidPayload, problem: error.problem, key: error.key))
        // Whoever makes the result removes the file.
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
            complain("journal", "files of the spool cannot be written to the journal: \(problem)")
            pause(for: limits.pause)
            if !putBack(claim) { hold(claim) }
        }
    }

    /// Another file of this name is claimed.
    ///
    /// - Parameter state: of the request that the name says, as the desk knows it.
    func settle(_ file: SpoolFile, state: RequestState?) {
        defer { changed() }
        switch state {
        case .queued?, .running?: reject(file, .nameInUse, isClaimed: false)
        case .emitted?, nil:
            // Its file is about to be removed, and the name free when its reader has the result. An id that the envelope
            // gave is not known here: that request ends by its deadline, and then the name is free as well.
            active.remove(file)
            scanLater(file.group, in: limits.quiet)
        }
    }

    private func hold(_ claim: Claim) {
        var claim = claim
        claim.isRetried = true
        held.append(claim)
    }

    // MARK: Back to incoming

    func putBackHeld() {
        for claim in held { putBack(claim) }
        held = []
    }

    /// Gives a file back, as if it had not been claimed. One that an earlier daemon claimed stays where it is: its time
    /// runs since then.
    ///
    /// - Returns: whether the claim is over.
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
            // The name is another file's by now, for one. At the next start it is found where it is.
            guard isStopping || error.isNoSuchFile else { return false }
        }
        active.remove(file)
        return true
    }

    // MARK: Rejected

    func reject(_ file: SpoolFile, _ why: PayloadError, isClaimed: Bool = true) {
        active.insert(file)
        rejections.append(Rejection(file: file, isClaimed: isClaimed, why: why, date: clock.date))
    }

    /// Moves what is to be rejected, each group's files together.
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

    /// One file's trouble is not the others'.
    private func rejectAlone(_ rejection: Rejection, in directory: RejectedDirectory) {
        do throws(SystemError) {
            try directory.put([rejection])
            tell(rejection)
        } catch {
            let group = rejection.file.group
            complain("reject \(group)", "unusable files cannot be moved to rejected: \(error)")
            // The move is tried again after the pause.
            if error.isDiskFull { Task { [makeRoom] in await makeRoom(1 << 20) } }
            if error.isNoSuchFile, groups[group]?.hasIncoming == true { try? directory.directories.make() }
            // It takes no other's place while it waits. What is too much is found again at the next start.
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
