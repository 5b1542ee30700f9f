/// How much the spool takes at a time, and how long it waits.
package struct SpoolLimits: Sendable {
    /// Of a payload file, in bytes.
    package var fileBytes = 4 << 20
    /// Files that are claimed and not yet accepted, at most: so many share a commit of the journal.
    package var inFlight = 64
    /// Names that are remembered of a group; past it its folder is read again instead.
    package var names = 4_096
    /// A file of which the kernel does not tell whether somebody writes is left alone until it has not changed for so
    /// long.
    package var quiet: Duration = .seconds(2)
    /// After an error of the disk or the journal.
    package var pause: Duration = .seconds(2)
    /// The pause before large files that got no lease are tried again.
    package var roomPause: Duration = .milliseconds(100)
    /// The folders are read again so often, for what no event tells: files on network file systems, links to files that
    /// others have open.
    package var lookAgain: Duration = .seconds(60)

    package init() {}
}
