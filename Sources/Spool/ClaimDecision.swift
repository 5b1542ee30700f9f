import LinuxIO

/// The event or scan by which a name in `incoming` was discovered.
enum DiscoveredBy: Sendable {
    /// A file was closed after writing, or moved into the directory.
    case closeEvent
    /// A name was created. The name belongs to a file that is about to be written, or is a link to an existing file.
    case createEvent
    /// A scan of the directory found the name.
    case scan
    /// The daemon found the name in `claimed` at its start. An earlier daemon claimed the file.
    case recovered
}

/// The decision whether a regular file in `incoming` is claimed now.
///
/// A file is complete when its writer has closed it, and half a payload must not be claimed. The kernel's report of
/// open writers takes precedence. It covers files of the daemon's own user, or all files with `CAP_LEASE`.
enum ClaimDecision: Sendable, Equatable {
    case claim
    /// The file is not claimed. An event will report its completion.
    case leave
    /// The file is not claimed. The directory is read again later, because no event will report the completion.
    case later

    /// Decides whether a file is claimed now.
    ///
    /// - Parameter age: The time since the file was last changed or renamed; negative if the machine's clock was set
    ///   back after that.
    /// - Parameter quiet: The age at which a file counts as complete if the kernel reports no writers.
    static func about(
        _ discoveredBy: DiscoveredBy, _ writers: WriterStatus, byteCount: Int, linkCount: Int, age: Duration,
        quiet: Duration
    ) -> ClaimDecision {
        let isYoung = age < quiet && age > .zero - quiet
        switch (writers, discoveredBy) {
        // A file that was created without a name and then linked causes no close event in this directory. A file may
        // also be open after a close event. Another writer may have the file open, or the kernel has not released the
        // file yet. The later release causes no further event.
        case (.open, .createEvent), (.open, .closeEvent): return .later
        case (.open, _): return .leave
        // A new file exists for a moment before its creator has opened it.
        case (.none, .createEvent), (.none, .scan): return byteCount == 0 && isYoung ? .later : .claim
        case (.none, _): return .claim
        case (.unknown, .createEvent): return linkCount > 1 ? .claim : .leave
        case (.unknown, .scan): return isYoung ? .later : .claim
        case (.unknown, _): return .claim
        }
    }
}
