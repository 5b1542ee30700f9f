import LinuxIO
import Testing

@testable import RequestCoordinator

struct SpoolClaimDecisionTests {
    @Test(arguments: [
        // The kernel reports an open writer, whose closing causes an event. A linked file causes no event in this
        // directory, and the close event comes a moment before the kernel releases the file.
        (DiscoveredBy.closeEvent, WriterStatus.open, 10, 1, 0, ClaimDecision.later), (.scan, .open, 10, 1, 99, .leave),
        (.createEvent, .open, 0, 1, 0, .later),
        // The kernel reports no writer. A file exists for a moment before its creator has it open.
        (.closeEvent, .none, 0, 1, 0, .claim), (.createEvent, .none, 0, 1, 0, .later),
        (.createEvent, .none, 10, 1, 0, .claim),
        (.scan, .none, 0, 1, 1, .later), (.scan, .none, 0, 1, 3, .claim), (.scan, .none, 10, 1, 0, .claim),
        // The kernel does not report the writers.
        (.closeEvent, .unknown, 10, 1, 0, .claim), (.createEvent, .unknown, 10, 1, 99, .leave),
        (.createEvent, .unknown, 10, 2, 0, .claim),
        (.scan, .unknown, 10, 1, 1, .later), (.scan, .unknown, 10, 1, 2, .claim),
        // The clock was set back. A file with a time in the future does not wait for that time.
        (.scan, .unknown, 10, 1, -1, .later), (.scan, .unknown, 10, 1, -86_400, .claim),
    ])
    func `only a complete file is claimed`(
        _ discoveredBy: DiscoveredBy, _ writers: WriterStatus, _ bytes: Int, _ links: Int, _ age: Int,
        _ expected: ClaimDecision
    ) {
        #expect(
            ClaimDecision.about(
                discoveredBy, writers, byteCount: bytes, linkCount: links, age: .seconds(age), quiet: .seconds(2))
                == expected)
    }

    @Test(arguments: [
        ("a.json", true), ("a b.json", true), ("ü\n.json", true), ("a.json.json", true), (".json", false),
        (".a.json", false), ("a.json.part", false), ("a.JSON", false), ("json", false), ("", false), ("a.jso", false),
    ])
    func `only names that end in .json are payloads`(_ name: String, _ isPayload: Bool) {
        #expect(SpoolName.isPayload(name) == isPayload)
    }

    @Test(arguments: [
        ("a.JSON", true), ("a.jso", true), ("a.txt", true), ("a", true), ("a.json", false), (".a.json.Xq3", false),
        ("a.json~", false), ("a.json.filepart", false), ("a.json.FILEPART", false), ("a.json.part", false),
        ("a.json.crdownload", false), ("a.json.tmp", false), ("a.json.aria2", false), ("a.json.partial", false),
    ])
    func `an unfinished file of another program is no mistake`(_ name: String, _ isMistaken: Bool) {
        #expect(SpoolName.isMistaken(name) == isMistaken)
    }
}
