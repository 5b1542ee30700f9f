import ServiceConfiguration
import Testing

/// Tests of `media.signingKeyFile` and `media.accelRedirect`.
@Suite struct SigningKeyTests {
    private let fixture: ConfigurationFixture
    private static let key = String(repeating: "k", count: 43)

    init() throws { fixture = try ConfigurationFixture() }

    @Test func `a file has one key, or two on two lines`() throws {
        for text in [Self.key, "\(Self.key)\n", "\(Self.key)\n\(Self.key)x\n"] {
            let path = try fixture.file("media.key", text)
            try fixture.write("media:\n  signingKeyFile: \(path)")
            #expect(try fixture.load().media.signingKeyFile?.path == path)
        }
    }

    @Test func `a file without a usable key is refused, and the message does not show its text`() throws {
        for (path, problem) in [
            (
                try fixture.file("short", "s3cr3t"),
                "short has a key of fewer than 43 characters, which could be guessed: make one with openssl rand -base64 32"
            ),
            (
                try fixture.file("three", "a\nb\nc"),
                "three has 3 lines with keys: write one key, or two during a rotation"
            ),
            (
                try fixture.file("open", Self.key, mode: 0o644),
                "open has a secret, and all users can read or write it: chmod o-rw open"
            ),
        ] {
            try fixture.write("media:\n  signingKeyFile: \(path)")
            #expect(fixture.problems() == ["appgroupd.yaml:2: media.signingKeyFile: \(problem)"])
        }
    }

    @Test(arguments: ["renditions", "/", "//", "/a//b", "/a/../b", "/a?b", "/a b", "\"\""])
    func `the path of an internal location begins with a slash and has plain segments`(_ path: String) throws {
        try fixture.write("media:\n  accelRedirect: \(path)")
        #expect(fixture.problems().count == 1)
    }

    @Test func `slashes at the end of the path are removed`() throws {
        try fixture.write("media:\n  accelRedirect: /renditions/")
        #expect(try fixture.load().media.accelRedirect == "/renditions")
    }
}
