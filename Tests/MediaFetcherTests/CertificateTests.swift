import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

@Suite struct CertificateTests {
    /// To read a system's 140 certificates takes 30 ms, in which the thread does nothing else.
    @Test func `the file of certificates is not read again for each connection`() async throws {
        let server = try ChildServer(isMultiplexed: false, settings: "keepalive_timeout 0;")
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        try await OriginFixture.with(policy: policy) { fixture in
            let files = CountedFiles()
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            _ = try await fixture.fetch(url: "\(url)?1", into: files).get()
            try Data("no certificate".utf8).write(to: URL(filePath: server.caFile))
            let trace = StageTrace()
            _ = try await fixture.fetch(url: "\(url)?2", into: files, trace: trace).get()
            #expect(trace.transfers.map(\.isReused) == [false])
        }
    }
}
