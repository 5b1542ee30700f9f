import LinuxIO

/// How a name in `incoming` became known.
enum DiscoveredBy: Sendable {
    /// A file was closed after writing, or moved in.
    case closeEvent
    /// A name was made: the beginning of a file, or a link to one that is there.
    case createEvent
    /// Found in the folder.
    case scan
    /// Found in `claimed` at the start: an earlier daemon took it.
    case recovered
}

/// Whether a regular file in `incoming` is taken now.
///
/// Who writes into the folder is done when the file is closed; half a payload must not be taken. The kernel's word goes
/// before everything. It is given for files of our own user, or all of them where we have `CAP_LEASE`.
enum ClaimDecision: Sendable, Equatable {
    case claim
    /// An event will tell when it is finished.
    case leave
    /// Nobody will tell: the folder is read again.
    case later

    /// - Parameters:
    ///   - age: since the file was changed or renamed last; negative where the machine's clock was set back since.
    ///   - quiet: how old a file is of which we know no better.
    static func about(
        _ discoveredBy: DiscoveredBy, _ writers: WriterStatus, byteCount: Int, linkCount: Int, age: Duration,
        quiet: Duration
    ) -> ClaimDecision {
        let isYoung = age < quiet && age > .zero - quiet
        switch (writers, discoveredBy) {
        // A nameless file that gets a name before it is closed: its closing is not told in this folder. And what was told
        // as closed is either another's as well, whose closing will be told, or not let go yet: nobody tells of that.
        case (.open, .createEvent), (.open, .closeEvent): return .later
        case (.open, _): return .leave
        // A file is made a moment before its maker has it open.
        case (.none, .createEvent), (.none, .scan): return byteCount == 0 && isYoung ? .later : .claim
        case (.none, _): return .claim
        case (.unknown, .createEvent): return linkCount > 1 ? .claim : .leave
        case (.unknown, .scan): return isYoung ? .later : .claim
        case (.unknown, _): return .claim
        }
    }
}
