import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of all faults in the responses of an origin. Each has its own reason, ends in time, and leaves no file and
/// no descriptor.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FaultByFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let path: String
        let reason: DegradationReason?
        var budget: Duration = .seconds(20)
        /// The limits `firstByte` and `idle` of the transfer.
        var stallThreshold: Duration = .seconds(10)
        var testDescription: String { "\(path): \(reason?.rawValue ?? "success")" }
    }

    private static let picture = "photo-small.jpg"

    @Test(arguments: [
        // These headers are late or too large.
        Fault(path: "/stall/headers/\(picture)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/stall/headers/\(picture)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/slow/headers/30s/\(picture)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/slow/headers/30s/\(picture)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/head/endless/\(picture)", reason: .tooLarge),
        Fault(path: "/head/large/200k/\(picture)", reason: .tooLarge),
        Fault(path: "/delay/30s/\(picture)", reason: .budgetExceeded, budget: .milliseconds(200)),
        // These bodies never end, or break off.
        Fault(path: "/drip/30s/\(picture)", reason: .budgetExceeded, budget: .milliseconds(300)),
        Fault(path: "/stall/after/1000/\(picture)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/stall/after/1000/\(picture)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/truncate/after/1000/\(picture)", reason: .truncated),
        Fault(path: "/truncate/after/0/\(picture)", reason: .truncated),
        Fault(path: "/lie/length/\(picture)", reason: .truncated),
        Fault(path: "/reset/after/1000/\(picture)", reason: .connectionLost),
        Fault(path: "/reset/after/0/\(picture)", reason: .connectionLost),
        // These bodies are too large, or are announced to be.
        Fault(path: "/endless/\(picture)", reason: .tooLarge),
        Fault(path: "/endless", reason: .tooLarge),
        Fault(path: "/bomb/gzip", reason: .tooLarge),
        Fault(path: "/bomb/gzip/\(picture)", reason: .tooLarge),
        Fault(path: "/bomb/br", reason: .unsupportedMedia),
        Fault(path: "/bomb/zstd", reason: .unsupportedMedia),
        Fault(path: "/stall/after/30/bomb/br", reason: .unsupportedMedia),
        Fault(path: "/stall/after/1000/bomb/zstd", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Length:99999999999/\(picture)", reason: .tooLarge),
        // These encodings were not requested, are unknown or nested, or are declared without being used.
        Fault(path: "/encoding/gzip/\(picture)", reason: nil),
        Fault(path: "/header/Content-Encoding:none/\(picture)", reason: nil),
        Fault(path: "/encoding/br/\(picture)", reason: .unsupportedMedia),
        Fault(path: "/encoding/zstd/\(picture)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:gzip%2C%20gzip/\(picture)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:br/\(picture)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:zstd/\(picture)", reason: .unsupportedMedia),
        // These responses contain no media item.
        Fault(path: "/no/such/file.jpg", reason: .httpStatus),
        Fault(path: "/status/404/\(picture)", reason: .httpStatus),
        Fault(path: "/status/500/\(picture)", reason: .httpStatus),
        Fault(path: "/status/204/\(picture)", reason: .httpStatus),
        Fault(path: "/status/304/\(picture)", reason: .httpStatus),
        Fault(path: "/range/wrong/\(picture)", reason: .httpStatus),
        Fault(path: "/empty.jpg", reason: .corruptMedia),
        // An HTML page with the name and the type of an image is a success here. The decoder finds out what it is.
        Fault(path: "/page/\(picture)", reason: nil),
        // These redirects never end, or must not be followed.
        Fault(path: "/redirect/loop", reason: .redirectRefused),
        Fault(path: "/redirect/6/\(picture)", reason: .redirectRefused),
        Fault(path: "/status/302/\(picture)", reason: .redirectRefused),
        Fault(path: "/redirect/to/ftp%3A%2F%2F127.0.0.1%2Fx", reason: .redirectRefused),
        Fault(path: "/redirect/to/http%3A%2F%2F10.0.0.1%2Fx", reason: .forbiddenAddress),
        Fault(path: "/redirect/1/stall/headers/\(picture)", reason: .budgetExceeded, budget: .milliseconds(200)),
    ])
    func `a faulty response has its own reason and leaves nothing open`(_ fault: Fault) async throws {
        var bench = FaultBench(budget: fault.budget)
        bench.limits.firstByte = fault.stallThreshold
        bench.limits.idle = fault.stallThreshold
        bench.limits.pictureBytes = 2_000_000
        bench.limits.soundBytes = 2_000_000
        bench.limits.videoBytes = 2_000_000
        let failure = try await bench.expect(fault.reason) { $0.baseURL + fault.path }
        #expect(failure?.detail.isEmpty != true)
    }

    @Test(arguments: [
        "/stall/headers/\(picture)", "/head/endless/\(picture)", "/reset/after/0/\(picture)", "/status/404/\(picture)",
        "/redirect/loop", "/empty.jpg",
    ])
    func `a response without a byte of a media item creates no file`(_ path: String) async throws {
        let files = CountedFiles()
        try await OriginFixture.with { fixture in
            #expect(await fixture.fetch(path, into: files, within: .milliseconds(200)).reason != nil)
        }
        #expect(files.made == 0)
    }

    @Test(arguments: [
        ("/stall/headers/\(picture)", "while waiting for the first byte of the response"),
        ("/stall/after/1000/\(picture)", "while sending the body"),
    ])
    func `the error of a stalled origin names the phase`(_ path: String, _ words: String) async throws {
        var bench = FaultBench()
        bench.limits.firstByte = .milliseconds(100)
        bench.limits.idle = .milliseconds(100)
        let failure = try await bench.expect(.budgetExceeded) { $0.baseURL + path }
        #expect(failure?.detail.contains(words) == true)
    }

    @Test(arguments: [
        ("/stall/headers/\(picture)", "wait"), ("/stall/after/1000/\(picture)", "body"),
        ("/drip/30s/\(picture)", "body"),
    ])
    func `the error at the end of the budget names the stage`(_ path: String, _ stage: String) async throws {
        let bench = FaultBench(budget: .milliseconds(300))
        let failure = try await bench.expect(.budgetExceeded) { $0.baseURL + path }
        #expect(failure?.detail.contains("\"\(stage)\"") == true)
    }
}
