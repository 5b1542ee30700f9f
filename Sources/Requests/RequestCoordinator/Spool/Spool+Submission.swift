import Base
import LinuxIO
import Logging
import NotificationModel

/// The handling of the coordinator's answers about claimed files.
extension Spool {
    /// Settles a claim. A claim that the coordinator refuses for the moment stays unsettled, and the method returns
    /// after a pause. Returns whether the claim is to be submitted again.
    func settle(_ claim: Claim, _ admission: Admission) async -> Bool {
        refused.remove(claim.file)
        defer { changed() }
        switch admission {
        case .unusable(let error):
            reject(claim.file, PayloadError(reason: .invalidPayload, problem: error.problem, key: error.key))
        // The component that publishes the result removes the file.
        case .accepted, .emitted: active.remove(claim.file)
        case .joined, .conflict: reject(claim.file, .nameInUse)
        case .full(let retryAfter): return await hold(claim, for: max(retryAfter, .milliseconds(10)))
        case .groupFull(let retryAfter): postpone(claim, for: max(retryAfter, .milliseconds(10)))
        case .closing:
            putBack(claim)
            pause(for: limits.pause)
        case .failed(let problem):
            warn("journal", "files of the spool cannot be written to the journal: \(problem)")
            pause(for: limits.pause)
            if !putBack(claim) { return await hold(claim, for: limits.pause) }
        }
        return false
    }

    /// Moves a file back whose group has too many unfinished requests, and claims no file of this group during a pause.
    /// The files of other groups are claimed.
    private func postpone(_ claim: Claim, for pause: Duration) {
        let (name, group) = (claim.file.group, groups[claim.file.group])
        group?.isFull = true
        line.removeAll { $0 === group }
        group?.isInLine = false
        scanLater(name, in: pause)
        guard !putBack(claim) else { return }
        active.remove(claim.file)
        checkAgain(claim.file, .recovered, after: pause)
    }

    /// Handles a file whose name is already used by a claimed file. The state of the request with the name's id is
    /// `nil` if the coordinator does not know the request.
    func settle(nameOf file: SpoolFile, _ state: RequestState?) {
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

    /// Keeps a claim for a pause, in which no other file is claimed. If the spool stops, the file is moved back.
    /// Returns whether the claim is to be submitted again.
    private func hold(_ claim: Claim, for pause: Duration) async -> Bool {
        refused.insert(claim.file)
        await stopping.wait(until: clock.now.advanced(by: pause), on: clock)
        if stopping.isSignalled { putBack(claim) }
        return !stopping.isSignalled
    }

    /// Moves the file of a claim back to `incoming`, as if it had not been claimed. The move causes an event, after
    /// which the file can be claimed again. A file that an earlier daemon claimed is not moved, because its budget is
    /// running. Returns whether the claim has ended. A claim of an earlier daemon ends only with the spool.
    @discardableResult
    func putBack(_ claim: Claim) -> Bool {
        let isStopping = stopping.isSignalled
        if claim.isRecovered {
            guard isStopping else { return false }
        } else {
            let directories = SpoolDirectories(root: root, group: claim.file.group)
            do throws(SystemError) {
                try FileSystem.move(directories.claimed(claim.file.name), to: directories.incoming(claim.file.name))
            } catch {
                // Another file may have the name by now. The next start finds this file in `claimed`.
                guard isStopping || error.isNoSuchFile else { return false }
            }
        }
        active.remove(claim.file)
        changed()
        return true
    }

    // MARK: Rejection of files

    func reject(_ file: SpoolFile, _ why: PayloadError, isClaimed: Bool = true) {
        active.insert(file)
        rejections.append(Rejection(file: file, isClaimed: isClaimed, why: why, date: clock.date))
        changed()
    }

    /// Moves the files that are to be rejected, with the files of each group together.
    func moveRejected() async {
        let waiting = rejections
        rejections = []
        for (group, list) in Dictionary(grouping: waiting, by: \.file.group) {
            let directory = RejectedDirectory(directories: SpoolDirectories(root: root, group: group))
            let errors = await syncing.perform { directory.put(list) }
            for (rejection, error) in zip(list, errors) {
                if let error { rejectLater(rejection, error) } else { tell(rejection) }
            }
        }
    }

    /// Handles a file that cannot be moved. The file does not count as active, and is checked again after a pause.
    private func rejectLater(_ rejection: Rejection, _ error: SystemError) {
        let group = rejection.file.group
        warn("reject \(group)", "unusable files cannot be moved to rejected: \(error)")
        if error.isDiskFull { Task { [freeSpace] in await freeSpace(1 << 20) } }
        if error.isNoSuchFile, let group = groups[group], group.hasIncoming { try? group.directories.make() }
        active.remove(rejection.file)
        if rejection.isClaimed {
            checkAgain(rejection.file, .recovered, after: limits.pause)
        } else {
            scanLater(group, in: limits.pause)
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

/// The submission of claims. The spool uses the port of the coordinator only here.
extension Spool {
    /// The time for which a claimed file waits for the memory for its values.
    private static let valuesPatience: Duration = .milliseconds(500)

    /// Submits a claim, and returns when it has ended.
    nonisolated func submit(_ claim: Claim) async {
        guard let bytes = claim.bytes else {
            let state = if let key = claim.file.key { await coordinator.state(of: key) } else { nil as RequestState? }
            return await settle(nameOf: claim.file, state)
        }
        await withTaskExecutorPreference(large.executor(forBytes: bytes.count)) {
            do throws(PayloadError) {
                var claim = claim
                guard try await leaseValues(of: &claim, bytes) else { return }
                let submission = try claim.submission(of: bytes)
                while await settle(claim, await coordinator.submit(submission)) {}
            } catch {
                await reject(claim.file, error)
            }
        }
    }

    /// Waits for memory for the values of a claim. The budget of a claim runs, so the file must not wait in `claimed`
    /// for long. Returns whether the claim has the memory that it needs; `false` if its file is back in `incoming`.
    private nonisolated func leaseValues(of claim: inout Claim, _ bytes: [UInt8]) async throws(PayloadError) -> Bool {
        guard let footprint = LargeValues.footprint(of: bytes) else { return true }
        guard footprint <= values.most else {
            throw PayloadError(
                reason: .tooLarge,
                problem: "its values take about \(footprint) bytes of memory, and at most \(values.most) are permitted")
        }
        while true {
            if let lease = await values.lease(footprint, within: Self.valuesPatience, on: clock) {
                claim.lease = lease
                return true
            }
            if await putBack(claim) { return false }
        }
    }
}

extension Claim {
    /// Returns the submission of the file. Throws the reason why the file is unusable.
    fileprivate func submission(of bytes: [UInt8]) throws(PayloadError) -> Submission {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: bytes) } catch {
            throw PayloadError(reason: .invalidPayload, problem: error.problem, line: error.line, column: error.column)
        }
        guard let object = value.object else {
            let remedy = value.array == nil ? "" : ": put each element into its own file"
            throw PayloadError(
                reason: .invalidPayload, problem: "the file has \(value.typeName), not an object\(remedy)")
        }
        return Submission(
            body: bytes, object: object, channel: .spool(fileName: file.name), arrival: arrival, group: file.group,
            weakID: RequestID(SpoolName.stem(file.name)), lease: lease)
    }
}
