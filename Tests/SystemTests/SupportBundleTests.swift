import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `support-bundle` with a daemon to which secrets and texts are sent in all places.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SupportBundleTests {
    /// Each secret is at one place. No program and no document has one of these words.
    private static let secrets = [
        "Rosenrot", "Distelfink", "Quittengelb", "Nachtigall", "Eisvogel", "Kleiber", "Amsel", "Zaunkoenig",
        "Blaumeise", "Steinadler", "Buchfink", "Goldammer", "Haubentaucher", "Wintergoldhaehnchen7Wiedehopf",
        "Rohrsaenger", "Seidenschwanz", "Uferschnepfe", "Trauerschwan", "Turmfalke", "Wachtelkoenig",
        "Schleiereule", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ]

    /// Unpacks an archive, and returns its files by their names.
    private static func unpack(_ path: String, in directory: TemporaryDirectory) throws -> [String: String] {
        let target = directory.path + "/unpacked"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xzf", path, "-C", target]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: target + "/appgroupd-support") {
            let path = target + "/appgroupd-support/" + name
            guard FileManager.default.contents(atPath: path) != nil else { continue }
            files[name] = try String(contentsOfFile: path, encoding: .utf8)
        }
        return files
    }

    private static func configuration(in directory: TemporaryDirectory) throws -> String {
        let credentials = try directory.write("Goldammer:Haubentaucher", as: "credentials")
        chmod(credentials, 0o600)
        let secret = try directory.write(CallbackServer.secret, as: "gateway.whsec")
        chmod(secret, 0o600)
        return try directory.write(
            """
            callbacks:
              targets: [{name: gateway, url: "https://127.0.0.1:1/?x=Schleiereule", secretFile: \(secret)}]
            fetch:
              headers:
                media.example.com: {Authorization: "Bearer Wintergoldhaehnchen7Wiedehopf"}
              userAgent: appgroupd-test
              proxyCredentials: \(credentials)
              proxy: http://proxy.example:3128
              noProxy: [127.0.0.0/8]
            publicURL: https://push.example.com/media
            twomee:
              expiredText: Rohrsaenger
            log:
              level: trace
            """, as: "appgroupd.yaml")
    }

    @Test func `a bundle has what a bug report needs, and no secret and no text`() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try Self.configuration(in: directory)
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start("--config", configuration)
                let paths = ["/photo-small.jpg", "/no/Kleiber.jpg", "/truncated.jpg"]
                for (number, path) in paths.enumerated() {
                    let url = origin.baseURL + path + "?token=Distelfink"
                    let payload = """
                        {"recipient": "Blaumeise", "labels": ["Buchfink"], "payload": {"title": "Rosenrot",
                         "body": "Quittengelb", "fallback": {"body": "Eisvogel"}, "media": [{"url": "\(url)"}],
                         "Turmfalke@example.com": "Amsel", "userId": 491701234567}}
                        """
                    let answer = try await root.client.post(
                        payload,
                        ["idempotency-key": "Steinadler-\(number)", "authorization": "Bearer Nachtigall"])
                    #expect([200, 202].contains(answer.status), "\(answer.json)")
                }
                let credentials = try await root.client.post(
                    #"{"title": "t", "body": "b", "media": [{"url": "https://Seidenschwanz:Zaunkoenig@127.0.0.1:1/Uferschnepfe"}]}"#
                )
                #expect(credentials.status == 200)
                _ = try await root.client.request("GET", "/v1/notifications/Trauerschwan?group=group.Wachtelkoenig")
                let log = try directory.write(
                    daemon.log.lines.elements.joined(separator: "\n")
                        + """

                        {"level":"error","message":"cannot be read","error":"Rosenrot","url":"https://Amsel:x@a.example/"}
                        2026-11-28 error: call of https://a.example/Kleiber?x=Amsel with Wintergoldhaehnchen7Wiedehopf

                        """, as: "daemon.log")
                let file = directory.path + "/bundle.tar.gz"
                let run = try await ProgramRun.appgroupd(
                    "support-bundle", "--root", root.path, "--config", configuration, "--log", log, file)
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.first?.hasPrefix(file) == true)

                let files = try Self.unpack(file, in: directory)
                for (name, text) in files {
                    for secret in Self.secrets {
                        #expect(!text.localizedCaseInsensitiveContains(secret), "\(secret) is in \(name)")
                    }
                }
                for name in [
                    "about.json", "configuration.json", "doctor.json", "status.json", "hosts.json", "metrics.txt",
                    "log.txt", "scenarios/slow-01.json", "scenarios/failed-01.json",
                ] {
                    #expect(files[name]?.isEmpty == false, "\(name)")
                }
                let settings = try JSONParser.value(of: files["configuration.json"] ?? "").array ?? []
                #expect(settings.contains { $0["key"] == "root" && $0["source"]?.string?.contains("--root") == true })
                #expect(settings.contains { $0["key"] == "twomee.expiredText" && $0["value"] == "(left out)" })
                let scenario = try JSONParser.value(of: files["scenarios/failed-01.json"] ?? "")
                #expect(scenario["reason"]?.string != nil)
                #expect(scenario["request"]["payload"]["title"] != nil)
                #expect(files["metrics.txt"]?.contains("appgroupd_requests_accepted_total") == true)
                #expect(files["log.txt"]?.contains("\"message\":\"emitted\"") == true)
                #expect(files["hosts.json"]?.contains("127.0.0.1:") == true)

                // A scenario is a request, so `process` takes it.
                let request = try directory.write(
                    JSONWriter.text(of: try #require(scenario["request"])), as: "scenario.json")
                let again = try await ProgramRun.appgroupd(
                    "process", "--root", directory.path + "/again", "--budget", "1s", request)
                #expect(again.status == 0, "\(again.errors)")

                let second = try await ProgramRun.appgroupd("support-bundle", "--root", root.path, file)
                #expect(second.status == 1)
                #expect(second.errors.first?.contains("name another file") == true)
            }
        }
    }

    @Test func `a bundle has the last lines of log.file and of the file before it, without texts`() async throws {
        let directory = try TemporaryDirectory()
        let log = try directory.write(
            """
            {"level":"info","message":"emitted","id":"Steinadler","ms":7}
            2026-11-28T10:00:00.000Z error appgroupd: no answer url=https://a.example/Kleiber?x=Amsel by=Nachtigall@a.example

            """, as: "daemon.log")
        let older = (1...600).map { #"{"level":"info","message":"older","ms":\#($0)}"# }
        _ = try directory.write(older.joined(separator: "\n") + "\n", as: "daemon.log.1")
        let other = try directory.write(#"{"level":"info","message":"other"}"# + "\n", as: "other.log")
        let configuration = try directory.write("log: {file: \(log)}\n", as: "appgroupd.yaml")
        for (options, count) in [([String](), 500), (["--log", other], 1)] {
            let file = directory.path + "/bundle-\(count).tar.gz"
            let run = try await ProgramRun.appgroupd(
                ["support-bundle", "--root", directory.path + "/root", "--config", configuration] + options + [file])
            #expect(run.status == 0, "\(run.errors)")
            let text = try #require(try Self.unpack(file, in: directory)["log.txt"])
            let lines = text.split(separator: "\n")
            #expect(lines.count == count)
            #expect(lines.last?.contains(options.isEmpty ? "no answer" : "other") == true)
            #expect(lines.contains { $0.contains(#""message":"emitted""#) } == options.isEmpty)
            #expect(lines.contains { $0.contains(#""ms":103"#) } == options.isEmpty)
            for secret in Self.secrets { #expect(!text.localizedCaseInsensitiveContains(secret), "\(secret)") }
        }
    }

    @Test func `a bundle without a daemon has the reason in place of the reports`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/bundle.tar.gz"
        let run = try await ProgramRun.appgroupd("support-bundle", "--root", directory.path + "/root", file)
        #expect(run.status == 0, "\(run.errors)")
        let files = try Self.unpack(file, in: directory)
        #expect(files["status.json"]?.contains("problem") == true)
        #expect(files["metrics.txt"]?.hasPrefix("# ") == true)
        #expect(files["scenarios/none.json"]?.contains("problem") == true)
    }
}
