import CLinuxShims

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

    /// Parses the bytes of one read from an inotify descriptor (inotify(7)).
    ///
    /// The bytes are records. Each has a header of 16 bytes, followed by a name of the stated length, padded with
    /// zeros. A record that does not fit into the bytes ends the parsing.
    ///
    /// - Returns: Each event with the number of its watch, which is -1 for `overflow`. Records of other kinds are left
    ///   out.
    package static func parse(_ bytes: ArraySlice<UInt8>) -> [(watch: Int32, event: DirectoryEvent)] {
        var events: [(watch: Int32, event: DirectoryEvent)] = []
        var rest = bytes
        while rest.count >= headerBytes {
            let nameBytes = Int(word(of: rest, at: 12))
            guard nameBytes <= rest.count - headerBytes else { break }
            let name = rest.dropFirst(headerBytes).prefix(nameBytes).prefix { $0 != 0 }
            if let event = DirectoryEvent(kinds: word(of: rest, at: 4), name: name) {
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

    private init?(kinds: UInt32, name bytes: ArraySlice<UInt8>) {
        if kinds & agd_in_overflow != 0 {
            self = .overflow
            return
        }
        if kinds & agd_in_gone != 0 {
            self = .gone
            return
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            self = .unreadableName
            return
        }
        let isFolder = kinds & agd_in_folder != 0
        if kinds & agd_in_close_write != 0 {
            self = .closedAfterWriting(name)
        } else if kinds & agd_in_moved_to != 0 {
            self = isFolder ? .directoryMade(name) : .movedIn(name)
        } else if kinds & agd_in_create != 0 {
            self = isFolder ? .directoryMade(name) : .fileMade(name)
        } else {
            return nil
        }
    }
}
