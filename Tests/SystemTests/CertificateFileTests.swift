import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests that each command refuses a `fetch.caFile` without certificates when it reads the configuration.
@Suite(.timeLimit(.minutes(1))) struct CertificateFileTests {
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbjCCAROgAwIBAgIUacFhaoTCwtfqx0ziXJ3Em/Zi5l4wCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYTAeFw0yNjExMjQwNjIzMjBaFw0zNjExMjEwNjIzMjBaMAwx
        CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARU5lRq8N2779gl
        81Ny05xbEz9JQxSONIo820kZNiCvQRKcpJut81ouzi4zXmNv1ktPxbiJPQmVCKB3
        2NxPg8Bwo1MwUTAdBgNVHQ4EFgQU8VoSuLRjHjy9GgoAeXY5Pqe8ngEwHwYDVR0j
        BBgwFoAU8VoSuLRjHjy9GgoAeXY5Pqe8ngEwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNJADBGAiEAmsho5cJhsWY4GYjm3cvrW1lw+0LjjGb+2pfyuy5+flcC
        IQDZ5UZWEnfrIh5aPPGaKSCfEOJrOXzkxI6b8/g/yDZ7Zg==
        -----END CERTIFICATE-----

        """

    enum Bad: String, CaseIterable, Sendable {
        case missing
        case garbage
        case empty
        case directory
        case brokenCertificate

        /// Creates the file, or another entry with its path.
        ///
        /// - Returns: The path of the file. No file has this path in the case `missing`.
        func make(in directory: TemporaryDirectory) throws -> String {
            let path = "\(directory.path)/ca.pem"
            switch self {
            case .missing: return path
            case .directory:
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                return path
            case .garbage: return try directory.write("no certificate\n", as: "ca.pem")
            case .empty: return try directory.write("", as: "ca.pem")
            case .brokenCertificate:
                let text = CertificateFileTests.certificate.replacingOccurrences(of: "MIIB", with: "MIIC")
                return try directory.write(text, as: "ca.pem")
            }
        }
    }

    @Test(arguments: Bad.allCases, ["serve", "config", "process"])
    func `a CA file without certificates ends a command with status 2 and one line`(
        _ bad: Bad, _ command: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = try bad.make(in: directory)
        let yaml = try directory.write("budget: 2s\nfetch:\n  caFile: \(file)\n", as: "appgroupd.yaml")
        let input = command == "process" ? ["-"] : command == "serve" ? ["--listen", "none"] : []
        let run = try await ProgramRun.appgroupd(
            [command, "--root", directory.path + "/root", "--config", yaml] + input, input: "{}")
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        let line = try #require(run.errors.first)
        #expect(run.errors.count == 1, "\(run.errors)")
        #expect(line.contains("appgroupd.yaml:3: fetch.caFile: "), "\(line)")
        #expect(line.contains(file) && line.hasSuffix("name a PEM file that this user can read, or none"), "\(line)")
    }

    @Test func `a CA file with a certificate is accepted`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.certificate, as: "ca.pem")
        let yaml = try directory.write("fetch:\n  caFile: \(file)\n", as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd("config", "--config", yaml)
        #expect(run.status == 0)
        #expect(run.output.contains { $0.contains("fetch.caFile") && $0.contains(file) })
        let finding = try await Self.doctor(yaml, in: directory).finding
        #expect(finding["status"] == "ok")
        #expect(finding["found"]?.string?.contains(file) == true)
    }

    @Test(arguments: Bad.allCases) func `doctor reports a CA file without certificates`(_ bad: Bad) async throws {
        let directory = try TemporaryDirectory()
        let file = try bad.make(in: directory)
        let yaml = try directory.write("fetch:\n  caFile: \(file)\n", as: "appgroupd.yaml")
        let visit = try await Self.doctor(yaml, in: directory)
        #expect(visit.status == 1)
        #expect(visit.finding["status"] == "failed")
        #expect(visit.finding["found"]?.string?.contains(file) == true)
        #expect(visit.finding["mend"]?.string?.contains("fetch.caFile") == true)
    }

    private static func doctor(
        _ yaml: String, in directory: TemporaryDirectory
    ) async throws -> (status: Int32, finding: JSONValue) {
        let run = try await ProgramRun.appgroupd(
            "doctor", "--config", yaml, "--root", directory.path, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        return (run.status, try #require(checks.first { $0["name"] == "certificates" }))
    }

    @Test(arguments: Bad.allCases) func `a reload keeps the old CA file and logs the reason`(_ bad: Bad) async throws {
        let directory = try TemporaryDirectory()
        let good = try directory.write(Self.certificate, as: "good.pem")
        let file = try bad.make(in: directory)
        try await ServedRoot.withRoot { root in
            let path = try root.write("budget: 20s\nfetch:\n  caFile: \(good)\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path)
            _ = try root.write("budget: 1s\nfetch:\n  caFile: \(file)\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "not reloaded:")
            let message = try #require(record["message"]?.string)
            #expect(record["level"] == "error")
            #expect(message.contains("appgroupd.yaml:3: fetch.caFile: ") && message.contains(file), "\(message)")
            #expect(message.hasSuffix("stays in force)"))
            let content = try await root.client.post(ServedPayload.text("b"))
            #expect(content.json["timing"]["budgetMs"] == 20_000)

            _ = try root.write("budget: 1s\nfetch:\n  caFile: \(good)\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "budget is now 1s, was 20s")
        }
    }
}
