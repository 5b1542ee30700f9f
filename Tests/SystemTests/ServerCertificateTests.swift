import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests of the files of `tls` in whole commands.
@Suite(.timeLimit(.minutes(1))) struct ServerCertificateTests {
    private static func yaml(_ chain: String, _ key: String) -> String {
        "budget: 20s\nlisten: 127.0.0.1:0\ntls:\n  certificateFile: \(chain)\n  keyFile: \(key)\n"
    }

    @Test func `config and doctor warn of a certificate that expires soon`() async throws {
        let directory = try TemporaryDirectory()
        let made = try await TestCertificate.make("a", in: directory, days: 7)
        let file = try directory.write(Self.yaml(made.chain, made.key), as: "appgroupd.yaml")
        let config = try await ProgramRun.appgroupd("config", "--config", file)
        #expect(config.status == 0)
        #expect(config.errors.count == 1)
        #expect(
            config.errors.first?.contains("tls.certificateFile: the certificate in \(made.chain) expires in 6 days")
                == true)
        let doctor = try await ProgramRun.appgroupd(
            "doctor", "--config", file, "--root", directory.path, "--format", "json")
        let checks = try #require(try doctor.contents.first?["checks"]?.array)
        #expect(checks.first { $0["name"] == "https certificate" }?["status"] == "warning")
    }

    @Test func `config refuses a key of another certificate, and names the line of the key`() async throws {
        let directory = try TemporaryDirectory()
        let (one, other) = (
            try await TestCertificate.make("a", in: directory), try await TestCertificate.make("b", in: directory)
        )
        let file = try directory.write(Self.yaml(one.chain, other.key), as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd("config", "--config", file)
        #expect(run.status == 2)
        #expect(run.errors.count == 1)
        #expect(
            run.errors.first?.contains("appgroupd.yaml:5: tls.keyFile: the key in \(other.key) does not belong") == true
        )
    }

    @Test func `a reload with a broken certificate is refused as a whole, and the old certificate stays in use`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let made = try await TestCertificate.make("a", in: directory)
        try await ServedRoot.withRoot { root in
            let text = Self.yaml(made.chain, made.key).replacingOccurrences(of: "listen: 127.0.0.1:0\n", with: "")
            let path = try root.write(text, as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path, "--listen", "127.0.0.1:0")
            _ = try root.write(text.replacingOccurrences(of: "20s", with: "1s"), as: "appgroupd.yaml")
            try Data("broken".utf8).write(to: URL(filePath: made.chain))
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "not reloaded:")
            #expect(
                record["message"]?.string?.contains("tls.certificateFile: \(made.chain) has no certificate") == true)
            let content = try await root.client.post(ServedPayload.text("b"))
            #expect(content.json["timing"]["budgetMs"] == 20_000)
        }
    }
}
