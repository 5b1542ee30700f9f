import Base
import Foundation
import TestSupport
import Testing

/// Tests of the programs under the shipped systemd unit: as a user without privileges, with the unit's filter of system
/// calls.
@Suite(.enabled(if: getuid() == 0, "another user is needed, which only root can become"))
struct UnitFilterTests {
    private static let unit = Fixtures.project + "/packaging/appgroupd.service"
    /// The number of the user `nobody`.
    private static let user = "65534"

    /// A directory with the programs and a root. Its mode permits an unprivileged user to use both.
    private let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        let files = FileManager.default
        for (name, source) in [
            ("appgroupd", BuiltProducts.appgroupd), ("appgroupd-transcode", BuiltProducts.worker),
        ] {
            try files.copyItem(atPath: source, toPath: "\(place.path)/\(name)")
        }
        try files.createDirectory(atPath: place.path + "/root", withIntermediateDirectories: false)
        try #require(chmod(place.path, 0o755) == 0 && chown(place.path + "/root", 65_534, 65_534) == 0)
    }

    private func run(_ arguments: String..., input: String = "", unit: String = unit) async throws -> ProgramRun {
        let wrapper = [
            Fixtures.project + "/scripts/under-unit-filter", unit, Self.user, "/bin/sh", "-c",
            #"shift; exec "$0" "$@""#, place.path + "/appgroupd",
        ]
        return try await ProgramRun.appgroupd(arguments, input: input, through: wrapper)
    }

    private static func finding(_ name: String, in run: ProgramRun) throws -> JSONValue {
        let report = try JSONParser.value(of: run.output.joined(separator: "\n"))
        let checks = try #require(report["checks"]?.array)
        return try #require(checks.first { $0["area"] == "worker" && $0["name"]?.string == name })
    }

    @Test func `every layer of the workers' sandbox is active under the unit`() async throws {
        let run = try await run("doctor", "--root", place.path + "/root", "--format", "json")
        let sandbox = try Self.finding("sandbox", in: run)
        #expect(sandbox["status"] == "ok", "\(sandbox)")
        #expect(sandbox["found"]?.string?.contains("own user (the daemon's, which is not root)") == true)
    }

    @Test func `an image is processed under the unit with --require-sandbox`() async throws {
        let image = try Data(contentsOf: URL(filePath: Fixtures.media + "/photo-small.jpg")).base64EncodedString()
        let payload = #"{"aps":{"alert":"hi"},"image":"data:image/jpeg;base64,\#(image)"}"#
        let run = try await run(
            "process", "--root", place.path + "/root", "--require-sandbox", "-", input: payload)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try run.contents.first?["outcome"] == "rich")
    }

    @Test func `doctor reports a unit that forbids Landlock, and --require-sandbox refuses to start`()
        async throws
    {
        let text = try String(contentsOfFile: Self.unit, encoding: .utf8)
            .replacingOccurrences(of: "SystemCallFilter=seccomp", with: "#SystemCallFilter=seccomp")
        let unit = try place.write(text, as: "without-landlock.service")
        let visit = try await run("doctor", "--root", place.path + "/root", "--format", "json", unit: unit)
        let sandbox = try Self.finding("sandbox", in: visit)
        #expect(sandbox["status"] == "warning")
        #expect(sandbox["found"]?.string?.contains("missing: Landlock (landlock: Operation not permitted)") == true)

        let refused = try await run(
            "process", "--root", place.path + "/root", "--require-sandbox", "-", input: "{}", unit: unit)
        #expect(refused.status == 2)
        #expect(refused.errors.first?.contains("these layers are not active: Landlock (") == true)
    }

    @Test func `systemd rates the exposure of the unit at most 1.2`() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = ["security", "--offline=true", "--threshold=12", Self.unit]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        // The status is not zero if the exposure exceeds the threshold. The threshold is in tenths.
        #expect(process.terminationStatus == 0)
    }
}
