import Base
import Foundation
import LinuxIO
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of unusable files of the server's certificate, and of certificates that expire.
@Suite(.timeLimit(.minutes(1)))
struct CertificateFilesTests {
    private typealias File = CertificateFiles.File

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func files(_ name: String, days: Int = 90) async throws -> CertificateFiles {
        let made = try await TestCertificate.make(name, in: directory, days: days)
        return CertificateFiles(chain: made.chain, key: made.key)
    }

    private func write(_ text: String, as name: String) throws -> String {
        let path = "\(directory.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `the message about unusable files names the broken file and the remedy`() async throws {
        let (good, other) = (try await files("good"), try await files("other"))
        #expect(good.problem == nil)
        let text = try String(contentsOfFile: good.chain, encoding: .utf8)
        let broken = [
            "\(directory.path)/missing", try write("", as: "empty"), try write("hello", as: "text"), good.key,
            try write(text.replacing("MII", with: "MIJ"), as: "damaged"),
        ]
        for path in broken {
            var files = good
            files.chain = path
            #expect(files.problem?.file == .chain, "\(path)")
            #expect(files.problem?.description.hasPrefix("tls.certificateFile: \(path) has no certificate") == true)
            files = good
            files.clientAuthorities = path
            #expect(files.problem?.file == .clientAuthorities, "\(path)")
            #expect(files.problem?.description.hasPrefix("tls.clientCAFile: \(path) has no certificate") == true)
        }
        for path in broken.prefix(3) + [good.chain] {
            var files = good
            files.key = path
            #expect(files.problem?.file == .key, "\(path)")
            #expect(files.problem?.problem.contains("\(path) has no private key") == true)
        }
        let mismatch = try #require(CertificateFiles(chain: good.chain, key: other.key).problem)
        #expect(mismatch.file == .key)
        #expect(mismatch.problem.contains("\(other.key) does not belong to the first certificate in \(good.chain)"))
    }

    @Test func `a certificate is warned of in its last 30 days`() async throws {
        let files = try await files("a", days: 31)
        let now = Date()
        #expect(files.expiryWarning(at: now) == nil)
        #expect(files.expiryWarning(at: now + 2 * 86_400)?.hasSuffix("a.pem expires in 28 days") == true)
        #expect(files.expiryWarning(at: now + 32 * 86_400)?.hasSuffix("a.pem has expired") == true)
    }

    @Test func `files are read again every minute, and not on a thread of the cooperative pool`() async throws {
        let files = try await files("a")
        let (clock, log) = (ManualClock(), LogLines())
        let thread = try EventLoop.start(name: "agd-files")
        defer { thread.shutdown() }
        let logger = Logger(label: "test") { _ in ThreadCheck(thread: thread, lines: log.handler) }
        let certificate = try ServerCertificate(files, on: thread, clock: clock, logger: logger)
        try Data().write(to: URL(filePath: files.chain))
        let following = Task { await certificate.follow() }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        await log.wait(for: "on the thread: the old certificate stays in use: tls.certificateFile: \(files.chain)")
        following.cancel()
        await following.value
    }
}

/// A log handler that adds to each line whether it was written on a thread.
private struct ThreadCheck: LogHandler {
    let thread: EventLoop
    var lines: LogLines.Handler
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(thread.isIsolatingCurrentContext() == true ? "on" : "off") the thread: \(event.message)"
        lines.log(event: event)
    }
}
