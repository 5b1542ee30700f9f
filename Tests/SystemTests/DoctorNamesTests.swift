import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests that `doctor` resolves names with the resolver and the name servers of the daemon.
@Suite struct DoctorNamesTests {
    private static func finding(_ name: String, asking server: LocalNameServer) async throws -> JSONValue {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "fetch: {nameServers: ['\(server.address)'], nameServerTimeout: 50ms}", as: "c.yaml")
        let run = try await ProgramRun.appgroupd(
            "doctor", "--root", directory.path, "--config", file, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        return try #require(checks.first { $0["area"] == "network" && $0["name"]?.string == name })
    }

    @Test func `doctor queries the configured name servers for a name that does not exist`() async throws {
        let server = try LocalNameServer { _ in .noSuchName }
        defer { server.shutdown() }
        let finding = try await Self.finding("name servers", asking: server)
        #expect(finding["status"] == "ok")
        #expect(finding["found"]?.string == "\(server.address): answered")
        #expect(!server.names.isEmpty)
        #expect(server.names.allSatisfy { $0 == "appgroupd.invalid" })
    }

    @Test func `doctor warns about name servers that do not respond, and names a correction`() async throws {
        let server = try LocalNameServer { _ in .silence }
        defer { server.shutdown() }
        let finding = try await Self.finding("name servers", asking: server)
        #expect(finding["status"] == "warning")
        #expect(finding["found"]?.string == "\(server.address): the name servers do not answer")
        #expect(finding["mend"]?.string?.contains("fetch.nameServers") == true)
    }

    @Test func `localhost resolves to this machine without a query`() async throws {
        let server = try LocalNameServer { _ in .silence }
        defer { server.shutdown() }
        let finding = try await Self.finding("localhost", asking: server)
        #expect(finding["status"] == "ok")
        #expect(finding["found"]?.string?.contains("127.0.0.1") == true)
        #expect(!server.names.contains("localhost"))
    }
}
