import LinuxIO
import Testing

@testable import Ingress

struct SpoolClaimDecisionTests {
    @Test(arguments: [
        // The kernel knows that somebody writes: his closing will be told, but for a file that was linked in, and where it
        // was told already, a moment too early.
        (DiscoveredBy.closeEvent, WriterStatus.open, 10, 1, 0, ClaimDecision.later), (.scan, .open, 10, 1, 99, .leave),
        (.createEvent, .open, 0, 1, 0, .later),
        // It knows that nobody does; but between the making of a file and its opening there is a moment.
        (.closeEvent, .none, 0, 1, 0, .claim), (.createEvent, .none, 0, 1, 0, .later),
        (.createEvent, .none, 10, 1, 0, .claim),
        (.scan, .none, 0, 1, 1, .later), (.scan, .none, 0, 1, 3, .claim), (.scan, .none, 10, 1, 0, .claim),
        // It does not say.
        (.closeEvent, .unknown, 10, 1, 0, .claim), (.createEvent, .unknown, 10, 1, 99, .leave),
        (.createEvent, .unknown, 10, 2, 0, .claim),
        (.scan, .unknown, 10, 1, 1, .later), (.scan, .unknown, 10, 1, 2, .claim),
        // The clock was set back: a file of tomorrow is not waited for until tomorrow.
        (.scan, .unknown, 10, 1, -1, .later), (.scan, .unknown, 10, 1, -86_400, .claim),
    ])
    func `half a file is not taken`(
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
    func `names that end in json are payloads`(_ name: String, _ isPayload: Bool) {
        #expect(SpoolName.isPayload(name) == isPayload)
    }
}
