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

    private static let image = "photo-small.jpg"

    @Test(arguments: [
        // These headers are late or too large.
        Fault(path: "/stall/headers/\(image)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/stall/headers/\(image)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/slow/headers/30s/\(image)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/slow/headers/30s/\(image)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/head/endless/\(image)", reason: .tooLarge),
        Fault(path: "/head/large/200k/\(image)", reason: .tooLarge),
        Fault(path: "/delay/30s/\(image)", reason: .budgetExceeded, budget: .milliseconds(200)),
        // These bodies never end, or break off.
        Fault(path: "/drip/30s/\(image)", reason: .budgetExceeded, budget: .milliseconds(300)),
        Fault(path: "/stall/after/1000/\(image)", reason: .budgetExceeded, budget: .milliseconds(200)),
        Fault(path: "/stall/after/1000/\(image)", reason: .budgetExceeded, stallThreshold: .milliseconds(100)),
        Fault(path: "/truncate/after/1000/\(image)", reason: .truncated),
        Fault(path: "/truncate/after/0/\(image)", reason: .truncated),
        Fault(path: "/lie/length/\(image)", reason: .truncated),
        Fault(path: "/reset/after/1000/\(image)", reason: .connectionLost),
        Fault(path: "/reset/after/0/\(image)", reason: .connectionLost),
        // These bodies are too large, or have an announced length that is too large.
        Fault(path: "/endless/\(image)", reason: .tooLarge),
        Fault(path: "/endless", reason: .tooLarge),
        Fault(path: "/bomb/gzip", reason: .tooLarge),
        Fault(path: "/bomb/gzip/\(image)", reason: .tooLarge),
        Fault(path: "/bomb/br", reason: .unsupportedMedia),
        Fault(path: "/bomb/zstd", reason: .unsupportedMedia),
        Fault(path: "/stall/after/30/bomb/br", reason: .unsupportedMedia),
        Fault(path: "/stall/after/1000/bomb/zstd", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Length:99999999999/\(image)", reason: .tooLarge),
        // These encodings were not requested, are unknown or nested, or are declared without being used.
        Fault(path: "/encoding/gzip/\(image)", reason: nil),
        Fault(path: "/header/Content-Encoding:none/\(image)", reason: nil),
        Fault(path: "/encoding/br/\(image)", reason: .unsupportedMedia),
        Fault(path: "/encoding/zstd/\(image)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:gzip%2C%20gzip/\(image)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:br/\(image)", reason: .unsupportedMedia),
        Fault(path: "/header/Content-Encoding:zstd/\(image)", reason: .unsupportedMedia),
        // These responses contain no media item.
        Fault(path: "/no/such/file.jpg", reason: .httpStatus),
        Fault(path: "/status/404/\(image)", reason: .httpStatus),
        Fault(path: "/status/500/\(image)", reason: .httpStatus),
        Fault(path: "/status/204/\(image)", reason: .httpStatus),
        Fault(path: "/status/304/\(image)", reason: .httpStatus),
        Fault(path: "/range/wrong/\(image)", reason: .httpStatus),
        Fault(path: "/empty.jpg", reason: .corruptMedia),
        // An HTML page with the name and the type of an image is a success here. The decoder later finds that the page
        // is no image.
        Fault(path: "/page/\(image)", reason: nil),
        // These redirects never end, or must not be followed.
        Fault(path: "/redirect/loop", reason: .redirectRefused),
        Fault(path: "/redirect/6/\(image)", reason: .redirectRefused),
        Fault(path: "/status/302/\(image)", reason: .redirectRefused),
        Fault(path: "/redirect/to/ftp%3A%2F%2F127.0.0.1%2Fx", reason: .redirectRefused),
        Fault(path: "/redirect/to/http%3A%2F%2F10.0.0.1%2Fx", reason: .forbiddenAddress),
        Fault(path: "/redirect/1/stall/headers/\(image)", reason: .budgetExceeded, budget: .milliseconds(200)),
    ])
    func `a fetch with a faulty response fails with the expected reason, and leaks nothing`(
        _ fault: Fault
    )
        async throws
    {
        var bench = FaultBench(budget: fault.budget)
        bench.limits.firstByte = fault.stallThreshold
        bench.limits.idle = fault.stallThreshold
        bench.limits.imageBytes = 2_000_000
        bench.limits.soundBytes = 2_000_000
        bench.limits.videoBytes = 2_000_000
        let failure = try await bench.expect(fault.reason) { $0.baseURL + fault.path }
        #expect(failure?.detail.isEmpty != true)
    }

    @Test(arguments: [
        "/stall/headers/\(image)", "/head/endless/\(image)", "/reset/after/0/\(image)", "/status/404/\(image)",
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
        ("/stall/headers/\(image)", "while waiting for the first byte of the response"),
        ("/stall/after/1000/\(image)", "while sending the body"),
    ])
    func `the error of a stalled origin names the phase`(_ path: String, _ words: String) async throws {
        var bench = FaultBench()
        bench.limits.firstByte = .milliseconds(100)
        bench.limits.idle = .milliseconds(100)
        let failure = try await bench.expect(.budgetExceeded) { $0.baseURL + path }
        #expect(failure?.detail.contains(words) == true)
    }

    @Test(arguments: [
        ("/stall/headers/\(image)", "wait"), ("/stall/after/1000/\(image)", "body"),
        ("/drip/30s/\(image)", "body"),
    ])
    func `the error at the end of the budget names the stage`(_ path: String, _ stage: String) async throws {
        let bench = FaultBench(budget: .milliseconds(300))
        let failure = try await bench.expect(.budgetExceeded) { $0.baseURL + path }
        #expect(failure?.detail.contains("\"\(stage)\"") == true)
    }
}
