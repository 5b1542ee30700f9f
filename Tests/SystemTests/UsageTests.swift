import Base
import Glibc
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of wrong usage. Scripts rely on the exit status. Users read one line with the file or the flag, the mistake
/// and a correction.
@Suite struct UsageTests {
    struct Misuse: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Misuse(arguments: ["--budgt", "2s"], says: ["--budgt", "Did you mean '--budget'?"]),
        Misuse(arguments: ["--budget", "soon"], says: ["soon", "--budget", "5s"]),
        Misuse(arguments: ["--budget", "2h"], says: ["2h", "from 1ms to 1h", "500ms, 5s, 2m or 1h"]),
        Misuse(arguments: ["--group", "../etc"], says: ["../etc", "--group", "letters"]),
        Misuse(arguments: ["--group", ".hidden"], says: [".hidden", "dot"]),
        Misuse(arguments: ["--profile", "pager"], says: ["pager", "ios"]),
        Misuse(arguments: ["--dialect", "morse"], says: ["morse", "2mee"]),
        Misuse(arguments: ["--id", "a/b"], says: ["a/b", "--id"]),
        Misuse(arguments: ["--id", "one", "second.json"], says: ["--id", "2 files"]),
        Misuse(arguments: ["--now", "tomorrow"], says: ["tomorrow", "RFC 3339"]),
        Misuse(arguments: ["--network", "modem"], says: ["modem", "wifi"]),
        Misuse(arguments: ["--permission", "download"], says: ["download", "true"]),
        Misuse(arguments: ["--allow-address", "10.0.0.0/33"], says: ["10.0.0.0/33", "range"]),
        Misuse(arguments: ["--require", "all"], says: ["all", "rich", "reason=REASON"]),
        Misuse(arguments: ["--require", "falback"], says: ["falback", "did you mean fallback?"]),
        Misuse(arguments: ["--require", "reason=http-staus"], says: ["did you mean reason=http-status?"]),
        Misuse(arguments: ["--require", "reason=slow"], says: ["must be one of", "budget-exceeded"]),
        Misuse(arguments: ["--budget", "-1s"], says: ["--budget", "-1s", "from 1ms to 1h"]),
        Misuse(arguments: ["--timeout", "5"], says: ["no option '--timeout'", "did you mean '--budget 5s'?"]),
        Misuse(arguments: ["--zzz"], says: ["--zzz", "`appgroupd process --help`"]),
        Misuse(arguments: ["--dialect", "fcmv1"], says: ["fcmv1", "did you mean fcm?"]),
        Misuse(arguments: ["--root", "/dev/null/root"], says: ["--root", "/dev/null/root", "name a directory"]),
    ])
    func `wrong usage of process ends with status 2 and one line`(_ misuse: Misuse) async throws {
        let root = try TemporaryDirectory()
        let payload = try root.write(#"{"aps": {"alert": "hi"}}"#, as: "payload.json")
        let arguments = ["process", "--root", root.path] + misuse.arguments + [payload]
        let run = try await ProgramRun.appgroupd(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.count == 1)
        for word in misuse.says { #expect(run.errors.first?.contains(word) == true, "\(run.errors) lacks \(word)") }
    }

    /// The daemon of the other user could not use files that the superuser creates in the root of this user.
    @Test(.enabled(if: geteuid() == 0, "the superuser alone can give a folder away"))
    func `a command of the superuser on the root of another user is refused`() async throws {
        let root = try TemporaryDirectory()
        #expect(chown(root.path, 12_345, 12_345) == 0)
        for command in [
            ["process", "-"], ["warm", "-"], ["cache", "ls"], ["cache", "unpin", "https://a.example/1"],
        ] {
            let run = try await ProgramRun.appgroupd(command + ["--root", root.path], input: "{}")
            #expect(run.status == 2)
            #expect(
                run.errors == [
                    "appgroupd: --root \(root.path) belongs to user 12345: run the command as that user, with sudo -u "
                        + "'#12345'"
                ])
        }
    }

    @Test(arguments: [
        (["cache", "purge", "cdn.example:8443"], "a host is purged on all of its ports: write cdn.example"),
        (["cache", "purge", "https://cdn.example*"], "write it as https://cdn.example/"),
        (["cache", "ls", "--responses", "--files"], "--responses and --files cannot"),
        (["cache", "ls", "--group", "a/b"], "--group a/b: it must be"),
    ])
    func `wrong usage of cache is reported with a correction`(_ command: [String], _ says: String) async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(command + ["--root", root.path])
        #expect(run.status == 2)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test(arguments: [
        (
            "lab play x",
            "'lab play' is not a command; the commands of lab are: run, replay, new, lint, serve, proxy, demo, bench"
        ),
        ("cache lst --root ./var", "'cache lst' is not a command; did you mean 'cache ls'?"),
        ("help cache shwo", "'cache shwo' is not a command; did you mean 'cache show'?"),
        ("serve --port 8080", "serve has no option '--port'; did you mean '--listen 127.0.0.1:PORT'?"),
        ("doctor extra", "Unexpected argument 'extra': `appgroupd doctor --help` lists what doctor takes"),
        ("lint", "Missing expected argument '<file> ...': `appgroupd lint --help` lists what lint takes"),
        ("lint --ignore no-such-rule x", "no rule has this name: a finding ends with the name of its rule"),
        ("lint --ignore plain x", "--ignore plain: did you mean plain-http?"),
        ("lint --dialect fcmv1 x", "--dialect fcmv1: did you mean fcm?"),
        ("warm --tolerate 1.5 x", "such as 5, or a percentage, such as 1%; did you mean 1.5%?"),
        ("lab serve x --listen 127.0.0.1:+80", "it must be HOST:PORT, such as 127.0.0.1:8499."),
        ("lab serve x --listen ::1:80", "it must be HOST:PORT, such as 127.0.0.1:8499."),
        ("warm --tolerate 101% x", "a percentage must be from 0% to 100%"),
    ])
    func `wrong usage of a command is reported with a correction`(_ line: String, _ says: String) async throws {
        let run = try await ProgramRun.appgroupd(line.split(separator: " ").map(String.init))
        #expect(run.status == 2 && run.output.isEmpty && run.errors.count == 1)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test(arguments: [
        (["lint"], "there is no such file: check the path"), (["process"], "there is no such file: check the path"),
    ])
    func `a missing file ends a command with status 1 and one line`(_ command: [String], _ says: String) async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(command + ["--root", root.path, "\(root.path)/none.json"])
        #expect(run.status == 1)
        #expect(run.errors == ["appgroupd: \(root.path)/none.json: \(says)"])
        let summary = "0 errors, 0 warnings, 0 notes in 0 files; 1 file cannot be read"
        #expect(run.output == (command == ["lint"] ? [summary] : []))
    }

    /// Notepad and PowerShell can write such files.
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "iconv -f UTF-16 -t UTF-8"),
            ([0xFE, 0xFF, 0, 0x7B, 0, 0x7D], "iconv -f UTF-16 -t UTF-8"),
            ([0x7B, 0, 0x0A, 0, 0x7D, 0], "iconv -f UTF-16LE -t UTF-8"),
        ] as [([UInt8], String)])
    func `a file in UTF-16 is reported with the command that converts it`(_ bytes: [UInt8], _ says: String)
        async throws
    {
        let root = try TemporaryDirectory()
        let path = "\(root.path)/utf16.json"
        try FileSystem.write(bytes, toFile: path)
        let processed = try await ProgramRun.appgroupd("process", "--root", root.path, path)
        #expect(processed.status == 1 && processed.errors.count == 1)
        #expect(processed.errors.first?.hasSuffix("the text is UTF-16, not UTF-8: convert it with \(says)") == true)
        let linted = try await ProgramRun.appgroupd("lint", path)
        #expect(linted.output.first?.contains(says) == true)
        #expect(linted.output.contains("  fix: Save the file as UTF-8"), "\(linted.output)")
    }

    @Test func `a missing daemon is reported with the command that starts a daemon`() async throws {
        let root = try TemporaryDirectory()
        let list = try root.write("https://a.example/1.jpg", as: "list.txt")
        let listener = try await MisbehavingOrigin.start(serving: Fixtures.media)
        let address = "http://127.0.0.1:\(listener.port)"
        await listener.stop()
        let run = try await ProgramRun.appgroupd("warm", "--root", root.path, "--via", address, list)
        #expect(run.status == 1)
        let says = "no daemon listens on \(address): start one with serve, or name the daemon that runs"
        #expect(run.errors == ["appgroupd: --via \(address): \(says)"])
    }

    @Test func `the message about an unknown command names the most similar command`() async throws {
        let run = try await ProgramRun.appgroupd("proces", "payload.json")
        #expect(run.status == 2)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("did you mean 'process'?") == true)
    }

    @Test(arguments: [
        ("{", "line 1, column 2"), ("", "empty"), ("{\"a\": 1,}", "line 1, column 8"), ("not json", "column 1"),
        ("[1]", "a number, not an object"), ("[]", "an array, not an object"), ("[[{}]]", "an array, not an object"),
        ("7", "a number, not an object"),
    ])
    func `an unusable file is reported with its name and the problem, and process ends with status 1`(
        _ text: String, _ says: String
    ) async throws {
        let root = try TemporaryDirectory()
        let path = try root.write(text, as: "bad.json")
        let run = try await ProgramRun.appgroupd("process", "--root", root.path, path)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("bad.json") == true)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test(arguments: [
        (#"{"budget": 7, "payload": {}}"#, "budget"), (#"{"appGroup": "a/b", "payload": {}}"#, "appGroup"),
        (#"{"permissions": {"download": "no"}, "payload": {}}"#, "permissions.download"),
        (#"{"fallback": "text", "payload": {}}"#, "fallback"), (#"{"id": 12, "payload": {}}"#, "id"),
    ])
    func `an invalid envelope is rejected, and the message names the invalid key`(_ text: String, _ key: String)
        async throws
    {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd("process", "--root", root.path, "-", input: text)
        #expect(run.status == 1)
        #expect(run.errors.first?.contains(key) == true)
        let content = try #require(try run.contents.first)
        #expect(content["outcome"] == "rejected")
        #expect(content["reason"] == "invalid-payload")
    }

    @Test func `an invalid file does not affect other files, and results have the order of the arguments`() async throws
    {
        let root = try TemporaryDirectory()
        let good = try (1...3).map { number in
            try root.write(
                #"{"id": "n-\#(number)", "payload": {"aps": {"alert": "\#(number)"}}}"#, as: "\(number).json")
        }
        let bad = try root.write("{", as: "bad.json")
        let run = try await ProgramRun.appgroupd("process", "--root", root.path, good[2], bad, good[0], good[1])
        #expect(run.status == 1)
        let ids = try run.contents.compactMap { $0["id"]?.string }
        #expect(ids == ["n-3", "n-1", "n-2"])
    }

    @Test(arguments: [("rich", 3), ("partial", 3)] as [(String, Int32)])
    func `an unmet requirement ends process with status 3`(_ requirement: String, _ status: Int32) async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "--require", requirement, "-",
            input: #"{"aps": {"alert": "hi"}, "image": "http://127.0.0.1:9/x.jpg"}"#)
        #expect(run.status == status)
        #expect(run.output.count == 1)
    }

    @Test func `a request for help about an unknown command is wrong usage`() async throws {
        let run = try await ProgramRun.appgroupd("help", "proces")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors == ["appgroupd: 'proces' is not a command; did you mean 'process'?"])
        #expect(try await ProgramRun.appgroupd("help", "process").status == 0)
    }

    @Test func `an address in use is reported with its port`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await ProgramRun.appgroupd(
                "lab", "serve", Fixtures.media, "--listen", "127.0.0.1:\(origin.port)")
            #expect(run.status == 1 && run.errors.count == 1)
            #expect(run.errors.first?.contains("port \(origin.port), where another program listens") == true)
        }
    }

    @Test func `help and version end with status 0`() async throws {
        for arguments in [["--help"], ["process", "--help"], ["lab", "serve", "--help"], ["--version"], ["-V"]] {
            let run = try await ProgramRun.appgroupd(arguments)
            #expect(run.status == 0)
            #expect(!run.output.isEmpty)
            #expect(run.errors.isEmpty)
        }
    }
}
