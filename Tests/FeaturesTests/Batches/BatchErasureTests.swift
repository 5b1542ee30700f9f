import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of erasures in the files of stored batches.
@Suite(.timeLimit(.minutes(1))) struct BatchErasureTests {
    /// Reads envelopes with their payload's `thread` and `provider`.
    private struct Reader: RequestNaming {
        func names(of submission: Submission) throws(EnvelopeError) -> RequestNames {
            let object = submission.object
            guard let payload = object["payload"]?.object else {
                throw EnvelopeError(key: "payload", problem: "is missing")
            }
            let group = AppGroupName(named: object)
            if let group, let other = submission.group, group != other {
                throw EnvelopeError(key: "group", problem: "conflicts")
            }
            var names = RequestNames(group: group ?? submission.group ?? .default)
            guard submission.permittedGroups.contains(names.group) else {
                throw EnvelopeError(key: "group", problem: "is not permitted")
            }
            names.id = object["id"]?.string ?? submission.weakID?.description
            names.recipients = Set([object["recipient"]?.string].compactMap(\.self))
            names.thread = payload["thread"]?.string
            names.providerID = payload["provider"]?.string
            return names
        }
    }

    private static let a = AppGroupName("group.a") ?? .default
    private static let b = AppGroupName("group.b") ?? .default

    private static func step(
        _ kind: ErasureTarget.Kind, _ name: String, in group: AppGroupName = .default, mentions: Bool = false
    ) -> ErasureStep {
        var step = ErasureStep(ErasureTarget(group: group, kind: kind, name: name))
        if kind == .recipient { step.recipientNames = [name] }
        (step.reader, step.includesMentions) = (Reader(), mentions)
        return step
    }

    private static func line(
        _ id: String, to recipient: String = "ben", _ payload: String = "{}", in group: String? = nil
    )
        -> String
    {
        let group = group.map { #","appGroup":"\#($0)""# } ?? ""
        return #"{"id":"\#(id)","recipient":"\#(recipient)","payload":\#(payload)\#(group)}"#
    }

    private static func stored(_ lines: [String], _ bench: BatchBench) async throws {
        #expect(await bench.store(lines, as: "b") == .accepted(try #require(RequestID("b"))))
        try await wait(for: "the end of the batch", atMost: .seconds(20)) { await bench.state(of: "b") == "ended" }
    }

    private static func text(of name: String, _ bench: BatchBench) throws -> String {
        let path = try #require(bench.batches.storedBatches.first).path
        return try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    @Test(arguments: [
        (ErasureTarget.Kind.id, "line-2"), (.recipient, "anna"), (.thread, "hello"), (.providerID, "p-9"),
    ])
    func `only the lines with the decoded name are erased, with their results`(
        kind: ErasureTarget.Kind, name: String
    ) async throws {
        let bench = try await BatchBench()
        try await Self.stored(
            [
                Self.line("x1"), Self.line("line-2", to: "anna", #"{"thread":"hello","provider":"p-9"}"#),
                Self.line("x3", #"{"text":"hello anna line-2 p-9"}"#),
            ], bench)
        let counts = try await bench.batches.erase(Self.step(kind, name))
        #expect(counts.batchLines == 2 && counts.mentions == 1)
        let results = try await bench.results(of: "b")
        #expect(results.count { $0["erased"] == true } == 1)
        #expect(results.first { $0["erased"] == true }?["line"]?.integer == 2)
        #expect(try !Self.text(of: "body.ndjson", bench).contains(#""line-2","#))
        let again = try await bench.batches.erase(Self.step(kind, name))
        #expect(again.batchLines == 0)
        await bench.kill()
    }

    @Test func `lines of another group stay, even if they have the same strings`() async throws {
        let bench = try await BatchBench()
        let lines = (1...20).map {
            Self.line("x\($0)", to: "anna", #"{"thread":"hello"}"#, in: $0 < 20 ? "group.a" : "group.b")
        }
        try await Self.stored(lines, bench)
        let body = try Self.text(of: "body.ndjson", bench)
        let none = try await bench.batches.erase(Self.step(.thread, "hello"))
        #expect(none == ErasureCounts())
        #expect(try Self.text(of: "body.ndjson", bench) == body)
        let counts = try await bench.batches.erase(Self.step(.thread, "hello", in: Self.b))
        #expect(counts.batchLines == 2)
        #expect(try Self.text(of: "body.ndjson", bench).hasPrefix(lines.prefix(19).joined(separator: "\n")))
        let all = try await bench.batches.erase(Self.step(.group, "", in: Self.a))
        #expect(all.batchLines == 38)
        await bench.kill()
    }

    @Test(arguments: [
        #"{"recipient":"Rosenrot-Anna", broken"#, #"{"recipient":"Rosenrot-Anna","erased":true,"payload":{}}"#,
        #"{"recipient":"Rosenrot-Anna","unknown":1}"#, #"["Rosenrot-Anna"]"#, #"{"recipient":"Rosenrot-Ann\u0061"}"#,
        #"{"id":"last","recipient":"Rosenrot-Anna","payload":{}}"#,
        String(repeating: "x", count: BatchLimits.maxLine + 1_000) + " Rosenrot-Anna ",
    ])
    func `a line is erased whatever it contains, even without a line feed`(line: String) async throws {
        let bench = try await BatchBench { settings in
            settings.limits = BatchLimits(maxBytes: 20 << 20)
            settings.quota = 40 << 20
        }
        let body = Pieces([Array((Self.line("x1") + "\n" + line).utf8)])
        _ = await bench.batches.store(BatchBench.call, as: RequestID("b"), body)
        try await wait(for: "the end of the batch", atMost: .seconds(20)) { await bench.state(of: "b") == "ended" }
        _ = try await bench.batches.erase(Self.step(.recipient, "Rosenrot-Anna"))
        let left = try Self.text(of: "body.ndjson", bench)
        #expect(left.utf8.count == Self.line("x1").utf8.count + 1 + line.utf8.count)
        #expect(left.hasPrefix(Self.line("x1")) && !left.contains("Rosenrot"))
        #expect(try !Self.text(of: "results.ndjson", bench).contains("Rosenrot"))
        await bench.kill()
    }

    @Test func `a whole group is erased once, with its longest lines`() async throws {
        let bench = try await BatchBench { settings in
            settings.limits = BatchLimits(maxBytes: 20 << 20)
            settings.quota = 40 << 20
        }
        let long = String(repeating: "x", count: BatchLimits.maxLine + (64 << 10))
        try await Self.stored([Self.line("x1"), long, Self.line("x3")], bench)
        #expect(try await bench.batches.erase(Self.step(.group, "")).batchLines == 6)
        #expect(try await bench.batches.erase(Self.step(.group, "")).batchLines == 0)
        #expect(try Self.text(of: "body.ndjson", bench).allSatisfy { $0 == " " || $0 == "\n" })
        await bench.kill()
    }

    @Test func `a refused line that names a group which the batch may not use belongs to the group of the batch`()
        async throws
    {
        let bench = try await BatchBench()
        var call = BatchCall(owner: "test", groups: .only([Self.b]), group: Self.b)
        call.trace = CallTrace()
        let lines = [Self.line("x1", to: "anna", in: "group.a")]
        _ = await bench.batches.store(call, as: RequestID("b"), BatchBench.body(lines))
        try await wait(for: "the end of the batch", atMost: .seconds(20)) { await bench.state(of: "b") == "ended" }
        #expect(try await bench.batches.erase(Self.step(.recipient, "anna", in: Self.a)) == ErasureCounts())
        #expect(try await bench.batches.erase(Self.step(.recipient, "anna", in: Self.b)).batchLines == 2)
        await bench.kill()
    }

    @Test func `a body that arrives during an erasure is stored without the erased lines`() async throws {
        let bench = try await BatchBench()
        let (pieces, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        let storing = Task { await bench.batches.store(BatchBench.call, as: RequestID("b"), pieces) }
        continuation.yield(Array((Self.line("x1", to: "anna") + "\n").utf8))
        try await wait(for: "the arriving body") {
            try bench.directory.files().contains { $0.hasSuffix("body.ndjson") }
        }
        #expect(try await bench.batches.erase(Self.step(.recipient, "anna")) == ErasureCounts())
        continuation.yield(Array(Self.line("x2").utf8))
        continuation.finish()
        #expect(await storing.value == .accepted(try #require(RequestID("b"))))
        try await wait(for: "the end of the batch", atMost: .seconds(20)) { await bench.state(of: "b") == "ended" }
        #expect(bench.intake.submissions.map { $0.object["id"]?.string } == ["x2"])
        #expect(try !Self.text(of: "body.ndjson", bench).contains("anna"))
        await bench.kill()
    }

    @Test func `a line whose erasure was interrupted is erased by the next one`() async throws {
        let bench = try await BatchBench()
        try await Self.stored([Self.line("x1", to: "anna"), Self.line("x2")], bench)
        let path = try #require(bench.batches.storedBatches.first).path + "/body.ndjson"
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.write(contentsOf: Data(LineReading.mark))
        try file.close()
        #expect(try await bench.batches.erase(Self.step(.recipient, "anna", in: Self.a)).batchLines == 2)
        #expect(try Self.text(of: "body.ndjson", bench).contains(Self.line("x2")))
        #expect(try !Self.text(of: "body.ndjson", bench).contains("anna"))
        await bench.kill()
    }

    @Test func `the plan of a batch loses the URLs of erased lines`() async throws {
        let bench = try await BatchBench()
        try await Self.stored([Self.line("x1", to: "anna")], bench)
        try await wait(for: "the plan") { try Self.text(of: "batch.json", bench).contains(#""plan":{"#) }
        _ = try await bench.batches.erase(Self.step(.recipient, "anna"))
        #expect(try Self.text(of: "batch.json", bench).contains(#""plan":null"#))
        await bench.kill()
    }

    @Test func `an erased line of an open batch is cancelled, and leaves no result`() async throws {
        let intake = FakeIntake(holds: true)
        let bench = try await BatchBench(intake)
        _ = await bench.store([Self.line("x1"), Self.line("x2", to: "anna")], as: "b")
        try await wait(for: "the requests", atMost: .seconds(20)) { intake.submissions.count == 2 }
        let counts = try await bench.batches.erase(Self.step(.recipient, "anna"))
        #expect(counts.batchLines >= 1)
        #expect(intake.cancelled.map(\.id.description) == ["x2"])
        intake.emitAll()
        try await wait(for: "the end of the batch", atMost: .seconds(20)) { await bench.state(of: "b") == "ended" }
        let results = try await bench.results(of: "b")
        #expect(results.first { $0["line"]?.integer == 2 }?["id"] == nil)
        await bench.kill()
    }

    @Test func `an erased template cancels its open batch, and no recipient is left as a request`() async throws {
        let intake = FakeIntake(holds: true)
        let bench = try await BatchBench(intake)
        let lines =
            [#"{"template":{"payload":{"thread":"hello"}}}"#] + (1...3).map { #"{"id":"t\#($0)","recipient":"r"}"# }
        _ = await bench.store(lines, as: "b")
        try await wait(for: "the requests", atMost: .seconds(20)) { intake.submissions.count == 3 }
        async let counts = bench.batches.erase(Self.step(.thread, "hello"))
        try await wait(for: "the cancelled requests", atMost: .seconds(20)) { intake.cancelled.count == 3 }
        intake.emitAll()
        #expect(try await counts.batchLines >= 4)
        let state = await bench.batches.state(of: try #require(RequestID("b")), of: "test")
        #expect(state?["state"] == "cancelled" && state?["reason"] == "erased")
        let directory = bench.directory
        await bench.kill()
        let next = try await BatchBench(in: directory)
        #expect(await next.state(of: "b") == "cancelled" && next.intake.submissions.isEmpty)
        await next.kill()
    }
}
