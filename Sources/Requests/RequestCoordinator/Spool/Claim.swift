import Base
import LinuxIO
import NotificationModel

/// A file that is about to be submitted, and counts against the credit of the spool until it is settled.
struct Claim: Sendable {
    let file: SpoolFile
    let arrival: ClockReading
    /// The payload; `nil` if a claimed file has the same name. The file is then still in `incoming`.
    var bytes: [UInt8]?
    /// Whether an earlier daemon claimed the file. In this case, the coordinator may already know the name of the file,
    /// because it has a request from the same file.
    var isRecovered = false
    /// The lease of a large file; `nil` if the file is small.
    var lease: ByteLease?
}

/// The reason why a file of the spool is rejected.
struct PayloadError: Error, Sendable, Equatable {
    var reason: DegradationReason
    /// The description of the error, as a sentence for people.
    var problem: String
    /// The key of the envelope whose value is wrong; `nil` if the error is of another kind.
    var key: String?
    /// The line of a JSON error, counted from 1; `nil` if the error is of another kind. The column is counted in bytes.
    var line: Int?
    var column: Int?

    static let nameInUse = PayloadError(reason: .duplicateID, problem: "a request with this id was accepted before")
}

/// The name of a file in the spool of an app group.
struct SpoolFile: Sendable, Hashable {
    let group: AppGroupName
    let name: String

    /// The key of the request, unless an envelope in the file has an id; `nil` if the name is not a valid id.
    var key: RequestKey? { RequestID(SpoolName.stem(name)).map { RequestKey(group: group, id: $0) } }
}

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

    /// Decides whether a file is claimed now. Its age since the last change or renaming is negative if the clock was
    /// set back. At the age `quiet`, it counts as complete if the kernel reports no writers.
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
