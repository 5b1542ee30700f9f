import CLinuxShims
import Glibc

/// A watcher that reports the events of directories (inotify), on an event loop.
///
/// A watcher is created, used and closed on the loop. The watcher refuses a symbolic link, and a path that is no
/// directory. Events are reported in their order. After `overflow`, the owner must read the directories again, because
/// the kernel has dropped events.
package final class DirectoryWatcher {
    /// A watched directory. The identifier means the same directory if the path of the directory changes.
    package struct DirectoryID: Sendable, Hashable {
        fileprivate let watch: Int32
    }

    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The events of files that are written, moved in or linked.
        package static let files = Interest(rawValue: agd_in_close_write | agd_in_moved_to | agd_in_create)
        /// The events of directories that are created or moved in, and those of such files as well.
        package static let directories = Interest(rawValue: agd_in_moved_to | agd_in_create)
    }

    /// A closure that receives the events. Its `directory` is `nil` for `overflow`, which may concern all directories.
    package typealias Handler = (_ directory: DirectoryID?, _ event: DirectoryEvent) -> Void

    /// The maximum number of reads in one iteration of the loop. If events are left, the descriptor stays ready.
    private static let maxReads = 16
    private static let bufferBytes = 1 << 16

    private let loop: EventLoop
    private let inotify: OwnedDescriptor
    private let handler: Handler
    private var watches: Set<Int32> = []
    private var buffer = [UInt8](repeating: 0, count: bufferBytes)

    /// Creates a watcher without directories. Throws `EMFILE` if the user has as many watchers as
    /// `fs.inotify.max_user_instances` permits.
    package init(on loop: EventLoop, _ handler: @escaping Handler) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        inotify = try .adopt(agd_inotify_create(), from: "inotify_init1 (fs.inotify.max_user_instances)")
        loop.watch(inotify.raw, for: .readable) { [weak self] _ in self?.read() }
    }

    /// The number of watched directories.
    package var count: Int { watches.count }

    /// Stops all watches, so no more events are reported. The descriptor is closed with this object.
    package func close() {
        loop.unwatch(inotify.raw)
        for watch in watches { _ = agd_inotify_remove(inotify.raw, watch) }
        watches = []
    }

    /// Watches a directory from now on; `interest` replaces its earlier interest. Throws `ENOENT`, `ENOTDIR`, or
    /// `ENOSPC` if the user watches as many directories as `fs.inotify.max_user_watches` permits.
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
        for _ in 0..<Self.maxReads {
            let count = unsafe Glibc.read(inotify.raw, &buffer, buffer.count)
            guard count > 0 else { return }
            for (watch, event) in DirectoryEvent.parse(buffer[..<count]) { tell(event, of: watch) }
        }
    }

    private func tell(_ event: DirectoryEvent, of watch: Int32) {
        if event == .overflow { return handler(nil, .overflow) }
        // The kernel may still have events of a directory that is no longer watched. These events are dropped.
        guard watches.contains(watch) else { return }
        if event == .gone {
            watches.remove(watch)
            // If the directory was only moved, the kernel still watches it.
            _ = agd_inotify_remove(inotify.raw, watch)
        }
        handler(DirectoryID(watch: watch), event)
    }
}

/// An event in a watched directory, or of the directory itself.
package enum DirectoryEvent: Sendable, Equatable {
    /// A file that was open for writing was closed.
    case closedAfterWriting(String)
    /// A file was renamed into the directory.
    case movedIn(String)
    /// A name was created: a file that a process begins to write, or a hard link to an existing file.
    case fileMade(String)
    /// A directory was created in the directory, or renamed into it.
    case directoryMade(String)
    /// The directory was deleted, moved or unmounted. No more events of it follow.
    case gone
    /// The kernel's queue was full. Events of any directory may be missing.
    case overflow
    /// An event had a name that is not UTF-8.
    case unreadableName

    /// Parses the bytes of one read from an inotify descriptor (inotify(7)), and returns each event with the number of
    /// its watch, which is -1 for `overflow`. Records of other kinds are left out.
    ///
    /// The bytes are records. Each has a header of 16 bytes, followed by a name of the stated length, padded with
    /// zeros. A record that does not fit into the bytes ends the parsing.
    package static func parse(_ bytes: ArraySlice<UInt8>) -> [(watch: Int32, event: DirectoryEvent)] {
        var events: [(watch: Int32, event: DirectoryEvent)] = []
        var rest = bytes
        while rest.count >= headerBytes {
            let nameBytes = Int(word(of: rest, at: 12))
            guard nameBytes <= rest.count - headerBytes else { break }
            let name = rest.dropFirst(headerBytes).prefix(nameBytes).prefix { $0 != 0 }
            if let event = event(of: word(of: rest, at: 4), name: name) {
                events.append((Int32(bitPattern: word(of: rest, at: 0)), event))
            }
            rest = rest.dropFirst(headerBytes + nameBytes)
        }
        return events
    }

    /// The size of the fields `wd`, `mask`, `cookie` and `len`, of four bytes each.
    private static let headerBytes = 16

    private static func word(of bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        // The number has the machine's byte order, which is little-endian on all supported machines.
        bytes.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func event(of kinds: UInt32, name bytes: ArraySlice<UInt8>) -> DirectoryEvent? {
        if kinds & agd_in_overflow != 0 { return .overflow }
        if kinds & agd_in_gone != 0 { return .gone }
        guard let name = String(validating: bytes, as: UTF8.self) else { return .unreadableName }
        let isFolder = kinds & agd_in_folder != 0
        if kinds & agd_in_close_write != 0 { return .closedAfterWriting(name) }
        if kinds & agd_in_moved_to != 0 { return isFolder ? .directoryMade(name) : .movedIn(name) }
        if kinds & agd_in_create != 0 { return isFolder ? .directoryMade(name) : .fileMade(name) }
        return nil
    }
}
