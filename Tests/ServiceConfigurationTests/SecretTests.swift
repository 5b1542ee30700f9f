import Base
import NotificationModel
import Testing

@testable import ServiceConfiguration

/// Tests of headers for origins. Their values come from files or texts, and no message or listing repeats them.
@Suite struct SecretTests {
    private static let secret = "Bearer s3cr3t"

    @Test(arguments: [("Bearer s3cr3t\n", secret), ("Bearer s3cr3t\r\n", secret), ("Bearer s3cr3t", secret)])
    func `a secret is read from its file without the last newline`(text: String, value: String) throws {
        let fixture = try ConfigurationFixture()
        let token = try fixture.file("token", text)
        try fixture.write("fetch:\n  headers: {Media.example.com: {Authorization: {file: \(token)}}}")
        let headers = try fixture.load().fetch.headers
        #expect(headers == ["media.example.com": [HeaderField(name: "Authorization", value: SecretText(value))]])
    }

    @Test(arguments: [0o644, 0o604, 0o642, 0o666, 0o777])
    func `a secret that all users can read is refused`(mode: Int) throws {
        let fixture = try ConfigurationFixture()
        let token = try fixture.file("token", Self.secret, mode: mode)
        try fixture.write("fetch:\n  headers:\n    a.example:\n      Authorization:\n        file: \(token)")
        #expect(
            fixture.problems() == [
                "appgroupd.yaml:5: fetch.headers: token has a secret, and all users can read or write it: chmod o-rw token"
            ])
    }

    @Test(arguments: ["", "\n", "two\nlines", "a\u{0}b", "smörgås", " x", String(repeating: "x", count: 65_537)])
    func `a file without a valid header value is refused, and the message does not repeat its text`(text: String) throws
    {
        let fixture = try ConfigurationFixture()
        let token = try fixture.file("token", text)
        try fixture.write("fetch: {headers: {a.example: {Authorization: {file: \(token)}}}}")
        let problems = fixture.problems()
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { !$0.contains("lines") && !$0.contains("sm") && !$0.contains("\n") })
    }

    @Test func `a directory or a missing file is refused as a secret`() throws {
        let fixture = try ConfigurationFixture()
        for (path, problem) in [
            ("/", "/ cannot be read: it is not a regular file"), ("/nowhere/x", "/nowhere/x does not exist"),
        ] {
            try fixture.write("fetch: {headers: {a.example: {Authorization: {file: \(path)}}}}")
            #expect(fixture.problems() == ["appgroupd.yaml:1: fetch.headers: \(problem)"])
        }
    }

    @Test(
        arguments: [
            "s3cr3t", "[s3cr3t]", "{a.example: s3cr3t}", "{a.example: {X-A: [s3cr3t]}}",
            "{a.example: {X-A: {files: s3cr3t}}}", "{a.example: {X-A: \"s3cr3t\\n\"}}", "{a.example: {X-A: \"\"}}",
            "{a.example: {X-A: ~}}", "{a.example: {Host: s3cr3t}}", "{a.example: {Range: s3cr3t}}",
            "{a.example: {\"X A\": s3cr3t}}", "{a.example: {\"\": s3cr3t}}", "{a.example: {X-A: s3cr3t, x-a: s3cr3t}}",
            "{a.example: {X-A: s3cr3t}, A.example: {X-A: s3cr3t}}", "{\"*.example\": {X-A: s3cr3t}}",
            "{\"https://a.example\": {X-A: s3cr3t}}", "{\"a.example:8080\": {X-A: s3cr3t}}",
        ])
    func `invalid headers are reported without their values`(headers: String) throws {
        for problems in [
            try ConfigurationFixture("fetch:\n  headers: \(headers)").problems(),
            try ConfigurationFixture().problems(environment: ["APPGROUPD_FETCH_HEADERS": headers]),
        ] {
            #expect(problems.count == 1, "\(problems)")
            #expect(problems.allSatisfy { !$0.contains("s3cr3t") })
        }
    }

    @Test func `a listing, a message and a dump do not contain a secret`() throws {
        let configuration = try ConfigurationFixture(
            "fetch: {headers: {a.example: {X-B: other s3cr3t, Authorization: s3cr3t}}}"
        ).load()
        #expect(configuration.fetch.headers["a.example"]?.map(\.value.value) == ["s3cr3t", "other s3cr3t"])
        #expect(
            try configuration.text("fetch.headers") == #"{"a.example":{"Authorization":"(secret)","X-B":"(secret)"}}"#)
        var dumped = ""
        dump(configuration, to: &dumped)
        let difference = Configuration(workers: 3).difference(to: configuration)
        let reported = [
            configuration.rows.joined().joined(), JSONWriter.text(of: configuration.json), "\(configuration)",
            String(reflecting: configuration), dumped, "\(difference)", difference.words.joined(),
        ]
        #expect(reported.allSatisfy { !$0.contains("s3cr3t") })
        #expect(dumped.contains("a.example"))
    }

    @Test func `headers cannot be set with a flag, because a flag would show the secret`() throws {
        let headers = try #require(ConfigurationKey.named("fetch.headers"))
        #expect(headers.flag == nil)
    }
}
