import Testing

@testable import ServiceConfiguration

@Suite struct DifferenceTests {
    private let samples: KeySamples

    init() throws { samples = try KeySamples() }

    private func loaded(_ yaml: String) throws -> Configuration { try ConfigurationFixture(yaml).load() }

    @Test func `a difference separates reloadable changes from those that need a restart`() throws {
        let before = try loaded("budget: 1s\nroot: /a")
        let after = try loaded("budget: 2s\nroot: /b\nlisten: none")
        let difference = before.difference(to: after)
        #expect(
            difference.words == [
                "budget is now 2s, was 1s", "root stays /a until a restart; the new value is /b",
                "socket stays /a/appgroupd.sock until a restart; the new value is /b/appgroupd.sock",
                "listen stays 127.0.0.1:8480 until a restart; the new value is none",
            ])
        #expect(difference.applicable.map(\.key) == ["budget"])
        #expect(difference.needingRestart.map(\.key) == ["root", "socket", "listen"])
        #expect(!difference.isEmpty)
    }

    @Test func `the same values from another source are not reported as a difference`() throws {
        let before = try loaded("budget: 60s\nfetch: {allowHosts: [A.example]}")
        let after = try ConfigurationFixture().load(
            environment: ["APPGROUPD_BUDGET": "1m", "APPGROUPD_FETCH_ALLOW_HOSTS": "a.example"])
        #expect(before.difference(to: after).isEmpty)
    }

    @Test func `a changed secret is reported without its values`() throws {
        let before = try loaded("fetch: {headers: {a.example: {X-A: one}}}")
        let after = try loaded("fetch: {headers: {a.example: {X-A: two}}}")
        #expect(before.difference(to: after).words == ["fetch.headers has changed"])
    }

    @Test(arguments: ConfigurationKey.all.map(\.path))
    func `a reload applies the reloadable keys and their sources`(path: String) throws {
        let key = try #require(ConfigurationKey.named(path))
        let sample = try #require(samples.all[path])[1]
        let before = Configuration(workers: 3)
        let after = try ConfigurationFixture().load(environment: [key.environmentName: sample])
        let running = before.reloaded(from: after)
        #expect(key.isSame(running, after) == key.isReloadable)
        #expect(key.isSame(running, before) != key.isReloadable)
        #expect(running.source(of: key) == (key.isReloadable ? .environment(key.environmentName) : .default))
        #expect(running.difference(to: after).applicable.isEmpty)
        #expect(running.difference(to: after).needingRestart.isEmpty == key.isReloadable)
    }

    @Test func `a reload with another root does not move a socket that is in the old root`() throws {
        let running = try loaded("root: /a").reloaded(from: try loaded("root: /b\nsocket: /c"))
        #expect(running.socket == "/a/appgroupd.sock")
    }
}
