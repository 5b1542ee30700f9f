import CLinuxShims
import Glibc

/// Tells what happens in folders (inotify), on an event loop.
///
/// Made, used and closed on the loop. A folder that is a symbolic link, or no folder, is not watched. Events come in
/// their order; after `overflow` the folders have to be read again, for the kernel has dropped some.
package final class DirectoryWatcher {
    /// A watched folder: the folder itself, whatever its path is by now.
    package struct DirectoryID: Sendable, Hashable {
        fileprivate let watch: Int32
    }

    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Files that are written, moved in or linked.
        package static let files = Interest(rawValue: agd_in_close_write | agd_in_moved_to | agd_in_create)
        /// Folders that are made or moved in. Files that are moved in or made are told as well.
        package static let directories = Interest(rawValue: agd_in_moved_to | agd_in_create)
    }

    /// - Parameter folder: `nil` for `overflow`, which may concern all of them.
    package typealias Handler = (_ directory: DirectoryID?, _ event: DirectoryEvent) -> Void

    /// At most so many reads in one turn of the loop; what is left makes the descriptor ready again.
    private static let mostReads = 16
    private static let bufferBytes = 1 << 16

    private let loop: EventLoop
    private let inotify: OwnedDescriptor
    private let handler: Handler
    private var watches: Set<Int32> = []
    private var buffer = [UInt8](repeating: 0, count: bufferBytes)

    /// - Throws: `EMFILE` when the user has as many of these as `fs.inotify.max_user_instances` permits.
    package init(on loop: EventLoop, _ handler: @escaping Handler) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        inotify = try .adopt(agd_inotify_create(), from: "inotify_init1 (fs.inotify.max_user_instances)")
        loop.watch(inotify.raw, for: .readable) { [weak self] _ in self?.read() }
    }

    /// How many folders are watched.
    package var count: Int { watches.count }

    /// Nothing more is told. The descriptor is closed at the end of the object's life.
    package func close() {
        loop.unwatch(inotify.raw)
        for watch in watches { _ = agd_inotify_remove(inotify.raw, watch) }
        watches = []
    }

    /// Watches a folder from now on. Watching it again replaces what is of interest.
    ///
    /// - Throws: `ENOENT`, `ENOTDIR`; `ENOSPC` when the user watches as many folders as `fs.inotify.max_user_watches`
    ///   permits.
    package func watch(_ path: String, for interest: Interest) throws(SystemError) -> DirectoryID {
        let watch = unsafe agd_inotify_add(inotify.raw, path, interest.rawValue)
        guard watch >= 0 else { throw .last("inotify_add_watch \(path)") }
        watches.insert(watch)
        return DirectoryID(watch: watch)
    }

    package func unwatch(_ directory: DirectoryID) {
        guard watches.remove(directory.watch) != nil else { return }
        _ = agd_inotify_remove(inotify.raw, directory.watch)
    }

    private func read() {
        for _ in 0..<Self.mostReads {
            let count = unsafe Glibc.read(inotify.raw, &buffer, buffer.count)
            guard count > 0 else { return }
            for (watch, event) in DirectoryEvent.parse(buffer[..<count]) { tell(event, of: watch) }
        }
    }

    private func tell(_ event: DirectoryEvent, of watch: Int32) {
        if event == .overflow { return handler(nil, .overflow) }
        // What the kernel still has to say of a folder that is watched no more is not told.
        guard watches.contains(watch) else { return }
        if event == .gone {
            watches.remove(watch)
            // A folder that was only moved is still watched by the kernel.
            _ = agd_inotify_remove(inotify.raw, watch)
        }
        handler(DirectoryID(watch: watch), event)
    }
}
