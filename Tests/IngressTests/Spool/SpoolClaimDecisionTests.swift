import LinuxIO
import Testing

@testable import Ingress

struct SpoolClaimDecisionTests {
    @Test(arguments: [
        // The kernel knows that somebody writes: his closing will be told, but for a file that was linked in, and where it
        // was told already, a moment too early.
        (DiscoveredBy.told, WriterStatus.no, 10, 1, 0, ClaimDecision.later), (.scanned, .no, 10, 1, 99, .leave),
        (.made, .no, 0, 1, 0, .later),
        // It knows that nobody does; but between the making of a file and its opening there is a moment.
        (.told, .yes, 0, 1, 0, .claim), (.made, .yes, 0, 1, 0, .later), (.made, .yes, 10, 1, 0, .claim),
        (.scanned, .yes, 0, 1, 1, .later), (.scanned, .yes, 0, 1, 3, .claim), (.scanned, .yes, 10, 1, 0, .claim),
        // It does not say.
        (.told, .unknown, 10, 1, 0, .claim), (.made, .unknown, 10, 1, 99, .leave), (.made, .unknown, 10, 2, 0, .claim),
        (.scanned, .unknown, 10, 1, 1, .later), (.scanned, .unknown, 10, 1, 2, .claim),
        // The clock was set back: a file of tomorrow is not waited for until tomorrow.
        (.scanned, .unknown, 10, 1, -1, .later), (.scanned, .unknown, 10, 1, -86_400, .claim),
    ])
    func `half a file is not taken`(
        _ sighting: DiscoveredBy, _ wholeness: WriterStatus, _ bytes: Int, _ links: Int, _ age: Int, _ expected: ClaimDecision
    ) {
        #expect(
            ClaimDecision.about(
                sighting, wholeness, byteCount: bytes, linkCount: links, age: .seconds(age), quiet: .seconds(2))
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
