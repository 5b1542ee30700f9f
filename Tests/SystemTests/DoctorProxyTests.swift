import Base
import Foundation
import Glibc
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the doctor's check of the egress proxy with tinyproxy, and of a daemon whose proxy refuses or does not run.
@Suite(.timeLimit(.minutes(2))) struct DoctorProxyTests {
    private static let tinyproxy = "/usr/bin/tinyproxy"

    /// Calls `body` while tinyproxy listens. The configuration of tinyproxy has the additional `lines`.
    private static func withProxy(
        _ lines: [String] = [], in directory: TemporaryDirectory, _ body: (_ port: UInt16) async throws -> Void
    ) async throws {
        let port = try LoopbackPort.free()
        let settings = ["Port \(port)", "Listen 127.0.0.1", "LogFile \"\(directory.path)/log\""] + lines + [""]
        let file = try directory.write(settings.joined(separator: "\n"), as: "tinyproxy.conf")
        let process = ParentBoundCommand(
            tinyproxy, ["-d", "-c", file], output: "\(directory.path)/output"
        ).process()
        try process.run()
        defer {
            // The process may inherit a mask that blocks SIGTERM, and tinyproxy does not change the mask.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try await wait(for: "tinyproxy") { LoopbackPort.accepts(port) }
        try await body(port)
    }

    /// Returns the doctor's finding about the proxy.
    private static func finding(_ fetch: String, in directory: TemporaryDirectory) async throws -> JSONValue {
        let yaml = try directory.write("root: \(directory.path)/root\nfetch: {\(fetch)}\n", as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd("doctor", "--config", yaml, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array, "\(run.errors)")
        return try #require(checks.first { $0["name"]?.string == "proxy" })
    }

    @Test func `the proxy check passes if no proxy is configured`() async throws {
        let finding = try await Self.finding("", in: try TemporaryDirectory())
        #expect(finding["status"] == "ok" && finding["found"] == "none is configured")
    }

    @Test func `the proxy check passes if the proxy opens tunnels`() async throws {
        let directory = try TemporaryDirectory()
        try await Self.withProxy(in: directory) { port in
            for names in [true, false] {
                let finding = try await Self.finding(
                    "proxy: 'http://127.0.0.1:\(port)', proxyResolves: \(names)", in: directory)
                #expect(finding["status"] == "ok", "\(finding)")
                #expect(finding["found"]?.string?.hasPrefix("127.0.0.1:\(port): answers") == true, "\(finding)")
            }
        }
    }

    @Test func `the check of a proxy with a password fails until the password is right`() async throws {
        let directory = try TemporaryDirectory()
        let password = UUID().uuidString
        try await Self.withProxy(["BasicAuth media \(password)"], in: directory) { port in
            let proxy = "proxy: 'http://127.0.0.1:\(port)'"
            let none = try await Self.finding(proxy, in: directory)
            #expect(none["status"] == "failed")
            #expect(none["found"]?.string == "the proxy 127.0.0.1:\(port) (fetch.proxy) answered 407 to CONNECT")
            #expect(
                none["mend"]?.string
                    == "Write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials.")
            for (text, status) in [("media:\(password)x", "failed"), ("media:\(password)", "ok")] {
                let file = try directory.write(text, as: "user")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let finding = try await Self.finding("\(proxy), proxyCredentials: \(file)", in: directory)
                #expect(finding["status"]?.string == status, "\(finding)")
                #expect(!"\(finding)".contains(password))
            }
        }
    }

    @Test func `doctor warns about a proxy that permits only host names, and accepts the proxy with proxyResolves`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let filter = try directory.write("\\.example$\n", as: "filter")
        let lines = ["Filter \"\(filter)\"", "FilterDefaultDeny Yes", "FilterExtended On"]
        try await Self.withProxy(lines, in: directory) { port in
            let proxy = "proxy: 'http://127.0.0.1:\(port)'"
            let finding = try await Self.finding(proxy, in: directory)
            #expect(finding["status"] == "warning", "\(finding)")
            #expect(finding["found"]?.string?.contains("answered 403 to CONNECT, and refuses no name") == true)
            #expect(finding["mend"]?.string?.contains("fetch.proxyResolves: true") == true)
            #expect(try await Self.finding("\(proxy), proxyResolves: true", in: directory)["status"] == "ok")
        }
        _ = try directory.write("^media$\n", as: "filter")
        try await Self.withProxy(lines, in: directory) { port in
            let finding = try await Self.finding("proxy: 'http://127.0.0.1:\(port)'", in: directory)
            #expect(finding["status"] == "warning")
            #expect(finding["mend"]?.string?.hasPrefix("Permit this machine") == true, "\(finding)")
        }
    }

    @Test func `an unreachable proxy fails the check`() async throws {
        let directory = try TemporaryDirectory()
        let port = try LoopbackPort.free()
        let finding = try await Self.finding("proxy: 'http://127.0.0.1:\(port)'", in: directory)
        #expect(finding["status"] == "failed")
        #expect(finding["found"]?.string?.contains("127.0.0.1:\(port) (fetch.proxy) cannot be used") == true)
        #expect(finding["mend"]?.string?.contains("fetch.proxy") == true)
    }

    @Test func `the verdict about an omitted image names the proxy that refused it`() async throws {
        let directory = try TemporaryDirectory()
        let filter = try directory.write("^media$\n", as: "filter")
        let lines = ["Filter \"\(filter)\"", "FilterDefaultDeny Yes"]
        try await Self.withProxy(lines, in: directory) { port in
            let yaml = try directory.write(
                "root: \(directory.path)/root\nfetch: {proxy: 'http://127.0.0.1:\(port)', allowAddresses: [127.0.0.0/8]}\n",
                as: "appgroupd.yaml")
            let payload = try directory.write(
                #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "http://127.0.0.1:\#(port)/a.jpg"}"#,
                as: "payload.json")
            let run = try await ProgramRun.appgroupd("process", "--config", yaml, payload)
            let verdict = try #require(try run.contents.first?["verdicts"]?.array?.first)
            #expect(verdict["reason"] == "connect-failed")
            let detail = try #require(verdict["detail"]?.string)
            #expect(detail.contains("the proxy 127.0.0.1:\(port) (fetch.proxy) answered 403"), "\(detail)")
        }
    }

    @Test func `a daemon logs and counts an unreachable proxy, and opens no circuit breaker`() async throws {
        let port = try LoopbackPort.free()
        try await ServedRoot.withRoot { root in
            let yaml = try root.write(
                "fetch: {proxy: 'http://127.0.0.1:\(port)', allowAddresses: [127.0.0.0/8]}\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", yaml)
            for number in 0..<6 {
                let content = try await root.client.post(
                    ServedPayload.media(["http://127.0.0.1:1/\(number).jpg"])
                ).json
                let detail = content["verdicts"]?.array?.first?["detail"]?.string
                #expect(detail?.contains("the proxy 127.0.0.1:\(port) (fetch.proxy) cannot be used") == true)
            }
            let warnings = daemon.log.lines.elements.filter { $0.contains("the egress proxy cannot be used") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("127.0.0.1:\(port)") == true)
            let answer = try await root.client.request("GET", "/metrics")
            let metrics = try ServedMetrics(String(decoding: answer.body, as: UTF8.self))
            let failures = metrics.value("appgroupd_proxy_failures_total", labels: #"cause="unusable""#)
            #expect(failures ?? 0 >= 6)
            #expect(metrics.value("appgroupd_resting_hosts") ?? 0 == 0)
        }
    }
}
