import Base
import DequeModule
import LinuxIO
import Logging
import NotificationModel

/// The discovery of groups, and the events of their directories.
extension Spool {
    func handle(_ event: DirectoryEvent, of directory: DirectoryWatcher.DirectoryID?) {
        guard let directory, let place = places[directory] else {
            guard event == .overflow else { return }
            isRootDue = true
            for group in groups.values { wantScan(of: group) }
            return changed()
        }
        if event == .gone { places[directory] = nil }
        switch (place, event) {
        case (.root, .directoryMade(let name)): consider(name)
        case (.root, .gone): logger.error("the root directory is gone", metadata: ["root": "\(root)"])
        case (.group(let name), .directoryMade("incoming")): consider(name.description)
        case (.group(let name), .gone): forget(name)
        case (.incoming(let name), .gone): lose(name)
        case (.incoming(let name), .closedAfterWriting(let file)), (.incoming(let name), .movedIn(let file)):
            add(file, .closeEvent, to: name)
        case (.incoming(let name), .fileMade(let file)): add(file, .createEvent, to: name)
        case (.incoming(let name), .unreadableName):
            warn("UTF-8 \(name)", "a file whose name is not UTF-8 is left in incoming", metadata: ["group": "\(name)"])
        default: return
        }
        changed()
    }

    /// The maximum number of names in the root that are checked before the thread does other work.
    private static let rootNamesInATurn = 64

    /// Opens unknown groups, and groups whose directories have changed. Returns whether names are left.
    func lookAtRoot() -> Bool {
        if isRootDue {
            isRootDue = false
            do throws(SystemError) { rootNames = try FileSystem.names(in: root)[...] } catch {
                warn("root", "the root directory cannot be read: \(error)")
            }
        }
        for name in rootNames.prefix(Self.rootNamesInATurn) { consider(name) }
        rootNames = rootNames.dropFirst(Self.rootNamesInATurn)
        return !rootNames.isEmpty
    }

    func serve(_ groups: ServedGroups) {
        guard groups != served else { return }
        served = groups
        for group in self.groups.values where !groups.contains(group.name) {
            if let watch = group.watch { unwatch(watch) }
            leave(group)
            logger.notice("the files of an app group are not claimed any more", metadata: ["group": "\(group.name)"])
        }
        for name in groups.named where self.groups[name] == nil {
            do throws(SystemError) { try open(name, isAsked: true) } catch { warnOfUnwatched(name, error) }
        }
        // Directories that were ignored until now may be those of groups.
        isRootDue = true
        changed()
    }

    private func warnOfUnwatched(_ name: AppGroupName, _ error: SystemError) {
        warn("open \(name)", "an app group cannot be watched: \(error)", metadata: ["group": "\(name)"])
    }

    /// Opens a group whose directory or `incoming` was created.
    func consider(_ name: String) {
        guard let group = AppGroupName(name) else { return }
        guard served.contains(group) else {
            // A file or the directory of a database may also have such a name.
            guard (try? FileSystem.look(at: "\(root)/\(name)/incoming").kind) == .directory else { return }
            return warn(
                "listed \(group)", "a directory is ignored because its group is not in groups",
                metadata: ["group": "\(group)"])
        }
        do throws(SystemError) { try open(group, isAsked: false) } catch { warnOfUnwatched(group, error) }
    }

    /// Watches a group from now on. Without `isAsked`, directories are created only in an empty directory or beside an
    /// existing `incoming`, because other directories in the root belong to other programs.
    func open(_ name: AppGroupName, isAsked: Bool) throws(SystemError) {
        guard watch != nil else { return }
        let directories = SpoolDirectories(root: root, group: name)
        if isAsked { try directories.make() }
        guard (try? FileSystem.look(at: directories.group).kind) == .directory else { return }
        // The watch comes before the scan, so that no new directory is missed between the two.
        let group: GroupSpool
        if let known = groups[name] { group = known } else { group = try add(name) }
        if !isAsked {
            let names = try FileSystem.names(in: directories.group)
            // The directory of a known group is empty while a command deletes the group.
            guard names.contains("incoming") || names.isEmpty && !group.isRecovered else { return }
            try directories.make()
        }
        guard try watchIncoming(of: group) else { return }
        if !group.isRecovered { group.names.wantRecovery() }
        group.isRecovered = true
        wantScan(of: group)
    }

    private func add(_ name: AppGroupName) throws(SystemError) -> GroupSpool {
        let group = GroupSpool(name: name, root: root, bound: limits.names)
        try watchDirectory(of: group)
        groups[name] = group
        return group
    }

    /// Removes a group whose directory was deleted or moved. A directory that is created in its place is a new group.
    func forget(_ name: AppGroupName) {
        guard let group = groups[name] else { return }
        leave(group)
        logger.warning("the directory of an app group is gone", metadata: ["group": "\(name)"])
        consider(name.description)
    }

    /// Ends the watches of a group.
    private func leave(_ group: GroupSpool) {
        groups[group.name] = nil
        stopScanning(group)
        if let incoming = group.incoming { unwatch(incoming) }
        line.removeAll { $0 === group }
    }

    /// Handles a deleted or moved `incoming`, which may already exist again. The daemon does not create it, because a
    /// command that deletes the group's directories could then not finish.
    private func lose(_ name: AppGroupName) {
        groups[name]?.incoming = nil
        consider(name.description)
        guard groups[name]?.hasIncoming != true else { return }
        logger.warning("the incoming directory of an app group is gone", metadata: ["group": "\(name)"])
    }

    // MARK: Queues of names

    private func add(_ file: String, _ observed: DiscoveredBy, to name: AppGroupName) {
        guard let group = groups[name] else { return }
        guard SpoolName.isPayload(file) else {
            if observed == .closeEvent { noteMistaken(file, in: group) }
            return
        }
        group.names.add(file, observed)
        putInLine(group)
    }

    func wantScan(of group: GroupSpool) {
        group.names.wantScan()
        putInLine(group)
    }

    func scanLater(_ name: AppGroupName, in duration: Duration) {
        let instant = clock.now.advanced(by: duration)
        dueScans[name] = min(dueScans[name] ?? instant, instant)
    }

    func putInLine(_ group: GroupSpool) {
        guard !group.isInLine, !group.isFull, !group.names.isEmpty else { return }
        group.isInLine = true
        line.append(group)
    }
}
