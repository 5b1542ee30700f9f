import Base
import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import NotificationModel

/// The watches of directories, which are limited for each user. A group without one is checked every second instead.
extension Spool {
    /// The coarsest resolution of file times that the check allows for, in seconds.
    private static let resolution: TimeInterval = 2
    /// The maximum number of groups that are checked before the thread does other work.
    private static let scannedInATurn = 256

    /// Watches `incoming` of a group, or checks it every second, and returns whether it has to be read again.
    func watchIncoming(of group: GroupSpool) throws(SystemError) -> Bool {
        if group.watch == nil { try watchDirectory(of: group) }
        guard group.watch != nil,
            let incoming = try newWatch(group.directories.incoming, for: .files, replacing: group.incoming)
        else {
            scan(group)
            return true
        }
        guard incoming != group.incoming else { return false }
        if let old = group.incoming { unwatch(old) }
        group.incoming = incoming
        places[incoming] = .incoming(group.name)
        stopScanning(group)
        return true
    }

    /// Watches the directory of a group, or begins to check it every second.
    func watchDirectory(of group: GroupSpool) throws(SystemError) {
        guard let id = try newWatch(group.directories.group, for: .directories, replacing: nil) else {
            return scan(group)
        }
        group.watch = id
        places[id] = .group(group.name)
    }

    /// Watches the root, or begins to check it every second.
    func watchRoot() throws(SystemError) {
        // The root may be a symbolic link to a directory.
        guard let id = try newWatch(root + "/", for: .directories, replacing: nil) else { return }
        rootWatch = id
        places[id] = .root
        isRootDue = true
    }

    /// Watches a directory for one kind of event; returns `nil` if no watch is available.
    private func newWatch(
        _ path: String, for interest: DirectoryWatcher.Interest, replacing old: DirectoryWatcher.DirectoryID?
    ) throws(SystemError) -> DirectoryWatcher.DirectoryID? {
        guard let watch, old != nil || watch.count < limits.watches else { return nil }
        do throws(SystemError) { return try watch.watch(path, for: interest) } catch  where error.errno == ENOSPC {
            return nil
        }
    }

    func unwatch(_ id: DirectoryWatcher.DirectoryID) {
        watch?.unwatch(id)
        places[id] = nil
    }

    // MARK: Groups without a watch

    private func scan(_ group: GroupSpool) {
        // A group without both watches is checked every second. Its single watch is released for another group.
        for id in [group.watch, group.incoming].compactMap(\.self) { unwatch(id) }
        (group.watch, group.incoming, group.seen) = (nil, nil, nil)
        guard !group.isScanned else { return }
        group.isScanned = true
        scanned.append(group)
        unwatched.withLock { $0 += 1 }
    }

    func stopScanning(_ group: GroupSpool) {
        guard group.isScanned else { return }
        group.isScanned = false
        unwatched.withLock { $0 -= 1 }
    }

    /// Whether any directory without a watch is checked.
    var isScanning: Bool { !scanned.isEmpty || watch != nil && rootWatch == nil }

    /// Checks some of the groups without a watch, and the root if it has no watch. A round that takes long is followed
    /// by a longer pause. Returns whether more groups or names are to be checked.
    func lookAtScanned(at now: MonotonicInstant) -> Bool {
        guard isScanning, now >= nextScannedLook else { return false }
        let began = clock.now
        if scannedCount == 0, rootWatch == nil { lookAtScannedRoot() }
        let turn = scanned[scannedCount...].prefix(Self.scannedInATurn)
        for group in turn where group.isScanned { lookAtScanned(group) }
        scannedCount += turn.count
        scanTime += began.duration(to: clock.now)
        guard scannedCount >= scanned.count else { return true }
        nextScannedLook = clock.now.advanced(by: max(limits.unwatchedLook, scanTime * 10))
        (scannedCount, scanTime) = (0, .zero)
        scanned.removeAll { !$0.isScanned }
        if isScanning, !isRootDue, rootNames.isEmpty {
            warn(
                "watches",
                """
                inotify watches are short, so the incoming directories of some app groups are looked at each second \
                instead: raise fs.inotify.max_user_watches
                """, metadata: ["groups": "\(unwatched.withLock(\.self))"])
        }
        return isRootDue
    }

    private func lookAtScannedRoot() {
        do throws(SystemError) { try watchRoot() } catch {
            warn("root", "the root directory cannot be watched: \(error)")
        }
        guard rootWatch == nil, let status = try? FileSystem.look(through: root) else { return }
        if rootSeen != status.modified { isRootDue = true }
        rootSeen = seenTime(of: status)
    }

    /// Returns the modification time of a directory; `nil` if the next change may have the same time.
    private func seenTime(of status: FileStatus) -> Duration? {
        clock.date.timeIntervalSince(status.modificationDate) > Self.resolution ? status.modified : nil
    }

    private func lookAtScanned(_ group: GroupSpool) {
        guard let status = try? FileSystem.look(at: group.directories.incoming), status.kind == .directory else {
            group.seen = nil
            if (try? FileSystem.look(at: group.directories.group)) == nil { forget(group.name) }
            return
        }
        guard group.isRecovered else { return consider(group.name.description) }
        // The modification time of a directory changes with each name in it.
        if group.seen != status.modified { wantScan(of: group) }
        group.seen = seenTime(of: status)
    }
}
