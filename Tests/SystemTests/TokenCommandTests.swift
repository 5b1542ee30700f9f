import NotificationModel
import Testing

/// Tests of `appgroupd token`.
@Suite(.timeLimit(.minutes(1))) struct TokenCommandTests {
    private static let token = "agd_" + String(repeating: "a", count: 43)

    @Test(arguments: ["", "\n", "\r\n"]) func `the hash of a token does not depend on its line end`(
        _ lineEnd: String
    ) async throws {
        let run = try await ProgramRun.appgroupd("token", "hash", input: Self.token + lineEnd)
        #expect(run.status == 0)
        // `printf agd_aaa… | sha256sum`
        #expect(run.output == ["sha256:ade0b31a863551c045aac50170c13f9d27e6e43f128a9ca1822ca3f121992d30"])
    }

    @Test(
        arguments: [
            (" \(token)", "other text"), ("\(token) ", "other text"), ("\(token)\t", "other text"),
            ("Bearer \(token)", "the word Bearer"), ("\"\(token)\"", "quotation marks"),
            ("\(token)\n\(token)", "second line"), ("\(token)\n\n", "second line"), ("\n\(token)", "at least 43"),
            ("short", "at least 43"), ("", "at least 43"),
        ])
    func `input with other text than one token has no hash, and the message does not repeat it`(
        _ input: String, _ says: String
    ) async throws {
        let run = try await ProgramRun.appgroupd("token", "hash", input: input)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        let line = try #require(run.errors.first)
        #expect(line.contains(says) && !line.contains(Self.token), "\(line)")
    }
}
