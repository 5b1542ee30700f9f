import Foundation
import TestSupport
import Testing

/// Tests of `make install` with a temporary destination.
@Suite(.timeLimit(.minutes(2))) struct InstallTests {
    private func make(_ arguments: [String]) throws -> Int32 {
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/env")
        make.arguments = ["make", "-s", "-C", Fixtures.project, "install"] + arguments
        try make.run()
        make.waitUntilExit()
        return make.terminationStatus
    }

    private var programs: String { URL(filePath: BuiltProducts.appgroupd).deletingLastPathComponent().path() }

    @Test func `an installation contains the programs, manual, completions, unit and configuration`() async throws {
        let directory = try TemporaryDirectory()
        let destination = ["DESTDIR=\(directory.path)", "PREFIX=/opt/agd", "PROGRAMS=\(programs)"]
        #expect(try make(destination) == 0)
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: "\(directory.path)/\(path)", encoding: .utf8)
        }
        for program in ["appgroupd", "appgroupd-lab", "appgroupd-transcode"] {
            #expect(FileManager.default.isExecutableFile(atPath: "\(directory.path)/opt/agd/bin/\(program)"))
        }
        let manual = try text("opt/agd/share/man/man1/appgroupd-process.1")
        #expect(manual.contains(".SH EXAMPLES\n.EX\nappgroupd process \\-\\-root ./var payload.json\n"))
        #expect(manual.contains(".B \\-\\-budget <budget>\n"))
        #expect(try text("opt/agd/share/man/man1/appgroupd.1").contains("appgroupd\\-lab (1)"))
        #expect(try text("opt/agd/share/man/man1/appgroupd-lab-serve.1").contains("/stall/headers/"))
        #expect(try text("opt/agd/share/man/man1/appgroupd-cache-pin.1").contains("appgroupd\\-cache (1)"))
        #expect(try text("opt/agd/share/bash-completion/completions/appgroupd").contains("complete -"))
        #expect(try text("opt/agd/share/zsh/site-functions/_appgroupd").hasPrefix("#compdef appgroupd"))
        #expect(try text("opt/agd/share/fish/vendor_completions.d/appgroupd.fish").contains("complete -c 'appgroupd'"))
        #expect(try text("opt/agd/lib/systemd/system/appgroupd.service").contains("=/opt/agd/bin/appgroupd serve\n"))
        #expect(try text("opt/agd/lib/systemd/system/appgroupd.socket").contains("\nListenStream=/run/appgroupd/"))

        // A second installation does not change the configuration of the operator.
        let configuration = "\(directory.path)/etc/appgroupd/appgroupd.yaml"
        try Data("budget: 5s\n".utf8).write(to: URL(filePath: configuration))
        #expect(try make(destination) == 0)
        #expect(try text("etc/appgroupd/appgroupd.yaml") == "budget: 5s\n")
    }

    @Test func `an installation without programs ends with status 2`() throws {
        #expect(try make(["DESTDIR=/nonexistent", "PROGRAMS=/nonexistent"]) == 2)
    }
}
