import Foundation
import TestSupport
import Testing

/// Tests of the script `scripts/check-examples` with small pages.
@Suite(.timeLimit(.minutes(2))) struct CheckExamplesTests {
    private func check(_ page: String, program: String = BuiltProducts.appgroupd) throws -> ScriptRun {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/page.md"
        try Data(page.utf8).write(to: URL(filePath: path))
        return try ScriptRun("check-examples", [path], environment: ["APPGROUPD": program])
    }

    @Test func `an example with a different output is reported with its page, its line and both texts`() throws {
        let run = try check("# Page\n\n```console\n$ echo first\nfirst\n$ echo second\nthird\n```\n")
        #expect(run.status == 1)
        #expect(run.report.contains("page.md:6: $ echo second"), "\(run.report)")
        #expect(run.report.contains("the page shows:\n    third\n  got:\n    second"), "\(run.report)")
        #expect(!run.report.contains("echo first"))
    }

    @Test(arguments: [
        ("$ false\n", "ends with status 1"), ("$ echo 'a b'\na\n", "a b"), ("$ echo a\na\nb\n", "got:\n    a"),
        ("$ printf 'a\\nb\\nc\\n'\na\n…\nd\n", "    d"), ("$ echo '3 apples'\n4 apples\n", "3 apples"),
        ("$ echo 1 &\n2\n", "got:\n    1"),
        ("$ appgroupd lab proxy --no-such-flag &\n", "has ended with status 2"),
        ("$ (sleep 0.1; exit 3) &\n$ sleep 0.5\n", "has ended with status 3"),
        ("$ false\n…\n", "ends with status 1"),
        ("$ echo a; echo appgroupd: it failed\na\n…\n", "appgroupd: it failed"),
        ("$ true # appgroupd cache ls --no-such-flag\n", "appgroupd cache ls has no flag --no-such-flag"),
    ])
    func `a wrong output or a wrong status of an example is reported`(_ block: String, _ says: String) throws {
        let run = try check("```console\n\(block)```\n")
        #expect(run.status == 1)
        #expect(run.report.contains(says), "\(run.report)")
    }

    @Test(arguments: [
        "$ echo 'took 12.5 ms,  at 2026-11-25T10:00:00.123Z'\ntook 3 ms, at 2026-01-01T00:00:00Z\n",
        "$ echo media/3f/3f0c9a12.jpg\nmedia/aa/aa01….jpg\n",
        "$ echo 01a1fe31-c2d6-7199-8f1b-209bb5f4fbfb\n01a212d0-f096-7a4d-9125-873ec182b4e2\n",
        "$ printf 'a\\nb\\nc\\n'\na\n…\n", "$ echo 'a long line'\na …\n", "$ echo printed\n",
        "$ NAME=x\n$ alias say='echo hi'\n$ say $NAME\nhi x\n", "$ echo a |\n    tr a b\nb\n",
        "$ cat > file <<'END'\n$ kept\nEND\n$ wc -l < file\n1\n", "$ sleep 1 && echo late > file &\n$ ls file\nfile\n",
        "$ python3 -m http.server 0 --bind 127.0.0.1 &\n$ kill $!\n",
        "$ appgroupd --version\n…\n$ ls fixtures/media/photo-small.jpg\nfixtures/media/photo-small.jpg\n",
    ])
    func `an example with the documented output passes`(_ block: String) throws {
        let run = try check("```console\n\(block)```\n\n```json\n{}\n```\n")
        #expect(run.status == 0, "\(run.report)")
    }

    @Test(
        arguments: [
            ("```sh\n$ false\n```\n", 2, "line 2: a command is in a block of the kind sh: write console"),
            ("~~~\n$ false\n~~~\n", 2, "line 2: a command is in a block of the kind none"),
            ("* A list:\n\n  ```console\n  $ false\n  ```\n", 1, "ends with status 1"),
            ("```console\n$ true\n", 2, "the last block has no end"),
            (
                "```json\n{}\n```\n\nUse `appgroupd lab proxy --port 80`.\n", 1,
                "page.md:5: appgroupd lab proxy has no flag --port"
            ),
            ("Use `appgroupd lab proxy --listen 127.0.0.1:80`, or `--port`.\n", 0, ""),
        ] as [(String, Int32, String)])
    func `commands outside console blocks and unknown flags are reported`(
        _ page: String, _ status: Int32, _ says: String
    ) throws {
        let run = try check(page)
        #expect(run.status == status)
        #expect(says.isEmpty ? run.report.isEmpty : run.report.contains(says), "\(run.report)")
    }

    @Test func `a server is ready before the next command, and is stopped at the end of its page`() throws {
        let directory = try TemporaryDirectory()
        let run = try check(
            """
            ```console
            $ appgroupd serve --root ./var --listen none 2> serve.log &
            $ echo $! > \(directory.path)/process
            $ appgroupd status --root ./var
            daemon    …
            …
            ```
            """)
        #expect(run.status == 0, "\(run.report)")
        let process = try #require(try directory.lines("process").first)
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)"))
    }

    @Test func `a missing program ends the script with status 2`() throws {
        #expect(try check("", program: "/nonexistent/appgroupd").status == 2)
    }
}
