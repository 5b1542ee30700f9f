import Foundation
import TestSupport
import Testing

/// Tests of an installation without the program of the laboratory.
@Suite(.timeLimit(.minutes(1))) struct LabProgramTests {
    private let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: BuiltProducts.appgroupd, toPath: place.path + "/appgroupd")
    }

    private func run(_ arguments: [String]) async throws -> ProgramRun {
        let wrapper = ["/bin/sh", "-c", #"shift; exec "$0" "$@""#, place.path + "/appgroupd"]
        return try await ProgramRun.appgroupd(arguments, through: wrapper)
    }

    @Test func `the laboratory's commands end with status 2 and a correction if its program is missing`() async throws {
        for command in [["serve", "."], ["proxy", "--origin", "http://a.example"], ["demo"], ["bench", "text"]] {
            let run = try await run(["lab"] + command)
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.errors.count == 1)
            let says = "/appgroupd-lab is missing: install appgroupd-lab beside appgroupd"
            #expect(run.errors.first?.hasSuffix(says) == true, "\(run.errors)")
        }
    }

    @Test func `the laboratory's help and usage errors are complete if its program is missing`() async throws {
        let help = try await run(["lab", "serve", "--help"])
        #expect(help.status == 0 && help.output.contains { $0.hasPrefix("  /stall/headers/") })
        let misuse = try await run(["lab", "bench", "late", "--budget", "soon"])
        #expect(misuse.status == 2 && misuse.errors.count == 1)
    }
}
