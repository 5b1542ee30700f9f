import Base
import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of `matrix.tokenFile`. The token is read at each load, and only the path of its file is shown.
@Suite struct TokenFileTests {
    private let fixture: ConfigurationFixture

    init() throws { fixture = try ConfigurationFixture() }

    private func name(_ path: String) throws { try fixture.write("matrix:\n  tokenFile: \(path)") }

    @Test(arguments: ["syt_dXNlcg_x-Y.z", "syt_dXNlcg_x-Y.z\n", "syt_dXNlcg_x-Y.z\r\n"])
    func `the token is read from its file without the last newline`(text: String) throws {
        let path = try fixture.file("token", text)
        try name(path)
        let file = try #require(try fixture.load().matrix.tokenFile)
        #expect(file.secret == SecretText("syt_dXNlcg_x-Y.z"))
        #expect(file.path == path)
    }

    @Test(arguments: ["a", "YWJj==", "~.-_+/0"])
    func `each token that a header can contain is accepted`(token: String) throws {
        try name(try fixture.file("token", token))
        #expect(try fixture.load().matrix.tokenFile?.secret.value == token)
    }

    @Test(arguments: ["Bearer s3cr3t", "s3cr3t\nother", " s3cr3t", "s3cr3t\t", "=s3cr3t", "==", "s=3cr3t", "s3cr3tß"])
    func `a file with more than a token is refused, and the message does not show its text`(text: String) throws {
        try name(try fixture.file("token", text))
        #expect(
            fixture.problems() == [
                "appgroupd.yaml:2: matrix.tokenFile: token has no token: write only the token into it, without Bearer"
            ])
    }

    @Test func `an unusable token file is reported`() throws {
        for (path, problem) in [
            (
                try fixture.file("open", "s3cr3t", mode: 0o644),
                "open has a secret, and all users can read or write it: chmod o-rw open"
            ),
            (try fixture.file("empty", "\n"), "empty is empty"),
            ("/nowhere/x", "/nowhere/x does not exist"), ("/", "/ cannot be read: it is not a regular file"),
            ("~", "has no value: it must be the path of a file"), ("[a]", "is a list: it must be the path of a file"),
            ("{file: a}", "is a mapping: it must be the path of a file"), ("\"\"", "\"\" does not exist"),
        ] {
            try name(path)
            #expect(fixture.problems() == ["appgroupd.yaml:2: matrix.tokenFile: \(problem)"])
        }
    }

    @Test func `the key matrix.token is reported as unknown, and the message does not show the token`() throws {
        try fixture.write("matrix: {token: s3cr3t}")
        #expect(
            fixture.problems() == ["appgroupd.yaml:1: matrix.token is not a key; did you mean matrix.tokenFile?"])
    }

    @Test func `a new token in the same file is reported as a difference, and neither token is shown`() throws {
        try name(try fixture.file("token", "one"))
        let before = try fixture.load()
        _ = try fixture.file("token", "two")
        let after = try fixture.load()
        #expect(before.difference(to: after).words == ["matrix.tokenFile has changed"])
        #expect(before.reloaded(from: after).matrix.tokenFile?.secret == SecretText("two"))
    }

    @Test func `a listing, a message and a dump do not contain the token, and the token has no flag`() throws {
        let path = try fixture.file("token", "s3cr3t")
        try name(path)
        let configuration = try fixture.load()
        #expect(configuration.matrix.tokenFile?.secret.value == "s3cr3t")
        #expect(try configuration.text("matrix.tokenFile") == path)
        var dumped = ""
        dump(configuration, to: &dumped)
        let difference = Configuration(workers: 3).difference(to: configuration)
        let reported = [
            configuration.rows.joined().joined(), JSONWriter.text(of: configuration.json), "\(configuration)",
            String(reflecting: configuration), dumped, "\(difference)", difference.words.joined(),
        ]
        #expect(reported.allSatisfy { !$0.contains("s3cr3t") })
        #expect(dumped.contains(path))
        #expect(try #require(ConfigurationKey.named("matrix.tokenFile")).flag == nil)
    }
}
