import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests that `config` and `serve` refuse the same configurations with the same message.
@Suite(.timeLimit(.minutes(1))) struct StartCheckTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The text of the configuration file. `DIR` stands for a new directory, which has a file `taken`.
        let configuration: String
        var arguments = ["--root", "DIR/root"]
        let says: String
    }

    private static let refused = [
        Refused(
            testDescription: "an address that others reach", configuration: "budget: 2s\nlisten: 0.0.0.0:8480\n",
            says: "appgroupd.yaml:2: listen: other machines can reach 0.0.0.0"),
        Refused(
            testDescription: "a group of the socket", configuration: "listen: none\nsocketGroup: agd-nobody\n",
            says: "appgroupd.yaml:2: socketGroup: there is no group agd-nobody: name a group of /etc/group"),
        Refused(
            testDescription: "a group of the files", configuration: "listen: none\nfiles:\n  group: agd-nobody\n",
            says: "appgroupd.yaml:3: files.group: there is no group agd-nobody: name a group of /etc/group"),
        Refused(
            testDescription: "a root that is a file", configuration: "listen: none\nroot: DIR/taken\n", arguments: [],
            says: "appgroupd.yaml:2: root: DIR/taken: Not a directory: name a directory that this user can write to"),
        Refused(
            testDescription: "a root below a file", configuration: "listen: none\n",
            arguments: ["--root", "DIR/taken/root"],
            says: "--root: DIR/taken/root: Not a directory: name a directory that this user can write to"),
        Refused(
            testDescription: "a socket in a folder that is not there",
            configuration: "listen: none\nsocket: DIR/nowhere/a.sock\n",
            says: "appgroupd.yaml:2: socket: the directory of DIR/nowhere/a.sock does not exist: create it"),
        Refused(
            testDescription: "a socket by the name of a file", configuration: "listen: none\nsocket: DIR/taken\n",
            says: "appgroupd.yaml:2: socket: cannot listen on DIR/taken: bind: another file has this name"),
        Refused(
            testDescription: "an address of two listeners", configuration: "http:\n  metricsListen: localhost:8480\n",
            says: "appgroupd.yaml:2: http.metricsListen: localhost:8480 is also the address of listen (127.0.0.1:8480)"),
        Refused(
            testDescription: "a file without certificates",
            configuration: "listen: none\nfetch:\n  caFile: DIR/taken\n",
            says: "appgroupd.yaml:3: fetch.caFile: no certificates can be read from DIR/taken"),
    ]

    @Test(arguments: refused)
    func `config and serve refuse the same configurations with the same line`(_ refused: Refused) async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("x", as: "taken")
        func placed(_ text: String) -> String { text.replacingOccurrences(of: "DIR", with: directory.path) }
        let yaml = try directory.write(placed(refused.configuration), as: "appgroupd.yaml")
        var lines: [String] = []
        for command in ["config", "serve"] {
            let run = try await ProgramRun.appgroupd(
                [command, "--config", yaml] + refused.arguments.map(placed))
            #expect(run.status == 2, "\(command): \(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.count == 1, "\(run.errors)")
            lines += run.errors
        }
        #expect(Set(lines).count == 1, "\(lines)")
        #expect(try #require(lines.first).contains(placed(refused.says)), "\(lines)")
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/root"), "no root is created")
    }

    @Test func `config accepts the root and the addresses of a running daemon, and creates no file`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let beside = try await ProgramRun.appgroupd("config", "--root", root.path, "--listen", "none")
            #expect(beside.status == 0, "\(beside.errors)")
            let new = try await ProgramRun.appgroupd("config", "--root", root.path + "/not/there/yet")
            #expect(new.status == 0, "\(new.errors)")
            #expect(!FileManager.default.fileExists(atPath: root.path + "/not"))
        }
    }

    @Test func `a reload refuses the configurations that a start refuses`() async throws {
        try await ServedRoot.withRoot { root in
            let path = try root.write("budget: 20s\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path)
            _ = try root.write("budget: 1s\nsocketGroup: agd-nobody\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "not reloaded:")
            #expect(record["message"]?.string?.contains("appgroupd.yaml:2: socketGroup: there is no group") == true)
            let content = try await root.client.post(ServedPayload.text("b"))
            #expect(content.json["timing"]["budgetMs"] == 20_000)
        }
    }

    @Test func `a one-shot command ignores the settings of a daemon`() async throws {
        let directory = try TemporaryDirectory()
        let yaml = try directory.write("listen: 0.0.0.0:8480\nsocketGroup: agd-nobody\n", as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd(
            ["process", "--root", directory.path + "/root", "--config", yaml, "-"], input: #"{"aps": {"alert": "hi"}}"#)
        #expect(run.status == 0, "\(run.errors)")
    }
}
