import Foundation
import Lab
import TestSupport
import Testing

/// Tests of `lab proxy` with a real origin and a real store.
@Suite(.timeLimit(.minutes(1)))
struct LabProxyTests {
    private static let photo = "/photo-12mp.jpg"

    @Test func `Cache-Status reports a stored, a cached and a revalidated response`() async throws {
        let directory = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedProxy.run(
                "--origin", origin.baseURL, "--root", directory.path, "--default-freshness", "1h"
            ) { proxy in
                #expect(
                    proxy.ready.hasSuffix(
                        " answers for \(origin.baseURL) with the cache in \(directory.path); end it with ^C"))
                let first = try await proxy.get(Self.photo)
                #expect(first.status == 200)
                #expect(first.value("cache-status") == "appgroupd; fwd=miss; stored")
                let whole = try Data(contentsOf: URL(filePath: Fixtures.media + Self.photo))
                #expect(first.body == Array(whole))
                let second = try await proxy.get(Self.photo)
                #expect(second.value("cache-status") == "appgroupd; hit")
                #expect(second.value("age") != nil)
                #expect(second.body == first.body)
                let part = try await proxy.get(Self.photo, "Range: bytes=10-19\r\n")
                #expect(part.status == 206)
                #expect(part.body == Array(whole[10..<20]))
                let asked = try await proxy.get(Self.photo, "Cache-Control: no-cache\r\n")
                #expect(asked.value("cache-status") == "appgroupd; fwd=stale; fwd-status=304")
                #expect(asked.body == first.body)
            }
            #expect(origin.counts.requests == 2)
        }
        let files = try directory.files()
        #expect(files.contains(".cache/index.sqlite"))
        #expect(files.count { $0.hasPrefix(".cache/bodies/") } == 1)
    }

    @Test func `lab proxy forwards a response of any status, and repeats no request`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedProxy.run("--origin", origin.baseURL) { proxy in
                #expect(try await proxy.get("/status/503" + Self.photo).status == 503)
                let redirect = try await proxy.get("/redirect/1" + Self.photo)
                #expect((300...399).contains(redirect.status))
                #expect(redirect.value("location") != nil)
                let torn = try await proxy.get("/truncate/1000" + Self.photo)
                #expect(torn.status == 200)
                #expect(torn.body.count == 1_000)
            }
            #expect(origin.counts.requests == 3)
        }
    }

    @Test func `lab proxy applies the address policy`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedProxy.run("--origin", "http://192.0.2.1") { proxy in
                let refused = try await proxy.get(origin.baseURL + Self.photo)
                #expect(refused.status == 502)
                #expect(refused.value("cache-status") == "appgroupd; fwd=miss; detail=forbidden-address")
                #expect(String(decoding: refused.body, as: UTF8.self).contains("--allow-address"))
            }
            try await ServedProxy.run("--origin", "http://192.0.2.1", "--allow-address", "127.0.0.0/8") { proxy in
                let shown = try await proxy.get(origin.baseURL + Self.photo).status
                #expect(shown == 200)
            }
        }
    }

    @Test func `lab proxy ends with status 0 after SIGTERM, and removes its temporary directory`() async throws {
        try await ServedProxy.run("--origin", "http://127.0.0.1:9") { proxy in
            #expect(try await proxy.get("/").status == 502)
            let words = try #require(proxy.ready.components(separatedBy: "the cache in ").last)
            let root = try #require(words.components(separatedBy: ";").first)
            #expect(FileManager.default.fileExists(atPath: root))
            #expect(await proxy.terminate() == 0)
            #expect(!FileManager.default.fileExists(atPath: root))
            #expect(proxy.log.lines.elements == [proxy.ready])
        }
    }

    @Test(
        arguments: [
            ([], "--origin"), (["--origin", "ftp://a.example"], "without a path"),
            (["--origin", "http://a.example/path"], "without a path"),
            (["--origin", "127.0.0.1:8000"], "without a path"),
            (["--origin", "http://a.example", "--listen", "0.0.0.0:8481"], "loopback"),
            (["--origin", "http://a.example", "--listen", "192.0.2.1:8481"], "loopback"),
            (["--origin", "http://a.example", "--default-freshness", "soon"], "5s"),
            (["--origin", "http://a.example", "--allow-address", "10.0.0.0/33"], "range"),
            (["--origin", "http://a.example", "--root", "/dev/null/root"], "name a directory"),
        ] as [([String], String)])
    func `wrong usage ends lab proxy with status 2 and one line`(_ arguments: [String], _ says: String) async throws {
        let run = try await ProgramRun.appgroupd(["lab", "proxy"] + arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test func `a port in use ends lab proxy with status 2`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await ProgramRun.appgroupd(
                "lab", "proxy", "--origin", origin.baseURL, "--listen", "127.0.0.1:\(origin.port)")
            #expect(run.status == 2)
            #expect(run.errors.count == 1)
            #expect(run.errors.first?.contains("cannot listen on 127.0.0.1, port \(origin.port)") == true)
        }
    }
}
