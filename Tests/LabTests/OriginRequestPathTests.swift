import Lab
import Testing

struct OriginRequestPathTests {
    @Test(
        arguments: [
            ("/photo.jpg", [], "photo.jpg"),
            ("/", [], ""),
            ("/a/b/c.png?width=3#x", [], "a/b/c.png"),
            ("http://example.com/a.png", [], "a.png"),
            ("HTTPS://example.com", [], ""),
            ("/delay/2s/photo.jpg", [.delay(.seconds(2))], "photo.jpg"),
            ("/delay/500ms/", [.delay(.milliseconds(500))], ""),
            ("/rate/125000/a.mp4", [.rate(bytesPerSecond: 125_000)], "a.mp4"),
            ("/drip/1.5s/a.mp4", [.drip(over: .milliseconds(1500))], "a.mp4"),
            ("/stall/after/1000/a.mp4", [.cut(Cut(after: 1000, .stall))], "a.mp4"),
            ("/stall/headers/a.mp4", [.stallHeaders], "a.mp4"),
            ("/truncate/0/a.mp4", [.cut(Cut(after: 0, .close))], "a.mp4"),
            ("/reset/7/a.mp4", [.cut(Cut(after: 7, .reset))], "a.mp4"),
            ("/truncate/after/9/a.mp4", [.cut(Cut(after: 9, .close))], "a.mp4"),
            ("/reset/after/7/a.mp4", [.cut(Cut(after: 7, .reset))], "a.mp4"),
            ("/slow/headers/2s/a.mp4", [.slowHead(over: .seconds(2))], "a.mp4"),
            ("/head/endless/a.mp4", [.endlessHead], "a.mp4"),
            ("/head/large/200k/a.mp4", [.largeHead(padding: 204_800)], "a.mp4"),
            ("/head/large/16m/a.mp4", [.largeHead(padding: 16_777_216)], "a.mp4"),
            ("/head/large/7", [.largeHead(padding: 7)], ""),
            ("/range/wrong/a.mp4", [.range(.wrong)], "a.mp4"),
            ("/range/ignored/a.mp4", [.range(.ignored)], "a.mp4"),
            ("/changed/2/a.mp4", [.changed(FileChange(after: 2))], "a.mp4"),
            ("/changed/0/to/b%2Fc.mp4/a.mp4", [.changed(FileChange(after: 0, to: "b/c.mp4"))], "a.mp4"),
            ("/encoding/br/a.json", [.encoding(.br)], "a.json"),
            ("/retry-after/2/503/a.mp4", [.retryAfter(seconds: 2, status: 503)], "a.mp4"),
            (
                "/header/Cache-Control:max-age=60/header/-ETag/a.png",
                [.field(.set(name: "Cache-Control", value: "max-age=60")), .field(.remove(name: "ETag"))], "a.png"
            ),
            (
                "/header/+Link:%20%3C%2Fa%3E/a.png", [.field(.add(name: "Link", value: "</a>"))], "a.png"
            ),
            ("/status/503/a.mp4", [.status(503)], "a.mp4"),
            ("/status/404", [.status(404)], ""),
            ("/lie/type/a.png", [.lyingType], "a.png"),
            ("/lie/length/a.png", [.lyingLength], "a.png"),
            ("/page/a.png", [.page], "a.png"),
            ("/endless", [.endless], ""),
            ("/flaky/2/a.png", [.flaky(failures: 2)], "a.png"),
            ("/bomb/gzip", [.bomb(.gzip)], ""),
            ("/bomb/br", [.bomb(.br)], ""),
            ("/bomb/zstd/a.jpg", [.bomb(.zstd)], "a.jpg"),
            ("/bomb/png/a.png", [.bomb(.png)], "a.png"),
            (
                "/delay/2s/stall/after/1000/video.mp4",
                [.delay(.seconds(2)), .cut(Cut(after: 1000, .stall))], "video.mp4"
            ),
            ("/photos/delay/2s/a.png", [], "photos/delay/2s/a.png"),
            ("/./delay/a.png", [], "delay/a.png"),
            ("/delayed/a.png", [], "delayed/a.png"),
            ("/a//b/./c/../d.png", [], "a/b/d.png"),
            ("/a%20b/%C3%BC.png", [], "a b/ü.png"),
            ("/%252e%252e/a.png", [], "%2e%2e/a.png"),
            ("/delay/1s/../b.png", [.delay(.seconds(1))], nil),
        ] as [(String, [Fault], String?)])
    func `a path consists of faults and a file`(target: String, faults: [Fault], file: String?) throws {
        guard let file else {
            #expect(throws: OriginPathError.outsideTheDirectory("..")) { try OriginRequestPath(parsing: target) }
            return
        }
        let path = try OriginRequestPath(parsing: target)
        #expect(path.faults == faults)
        #expect(path.filePath == file)
    }

    @Test(arguments: [
        ("/redirect/loop", "/redirect/loop"),
        ("/redirect/loop/a.png?x=1", "/redirect/loop/a.png?x=1"),
        ("http://example.com/redirect/loop?x", "/redirect/loop?x"),
        ("/redirect/1/a%20b.png", "/a%20b.png"),
        ("/redirect/3/delay/2s/a.png", "/redirect/2/delay/2s/a.png"),
        ("/redirect/to/https%3A%2F%2Fexample.com%2Fa%3Fb", "https://example.com/a?b"),
        ("/redirect/to/file%3A%2F%2F%2Fetc%2Fpasswd", "file:///etc/passwd"),
        ("/redirect/to/%2F%2Fexample.com", "//example.com"),
    ])
    func `a redirect leads to the rest of the path`(target: String, location: String) throws {
        let path = try OriginRequestPath(parsing: target)
        #expect(path.faults == [.redirect(to: location)])
        #expect(path.filePath == "")
    }

    @Test(arguments: [
        ("*", "`*` is not a path; a path begins with `/`"),
        ("", "`` is not a path; a path begins with `/`"),
        ("ftp://example.com/a", "`ftp://example.com/a` is not a path; a path begins with `/`"),
        ("/delay", "/delay/ lacks its argument; write 500ms, 2s or 1.5s, at most 3600s"),
        ("/delay/photo.jpg", "/delay/ does not take `photo.jpg`; write 500ms, 2s or 1.5s, at most 3600s"),
        ("/delay/1h/a", "/delay/ does not take `1h`; write 500ms, 2s or 1.5s, at most 3600s"),
        ("/drip//a", "/drip/ lacks its argument; write 500ms, 2s or 1.5s, at most 3600s"),
        ("/stall/1000/a", "/stall/ does not take `1000`; write stall/headers or stall/after/1000"),
        ("/stall/after/-1/a", "/stall/after/ does not take `-1`; write a number of body bytes"),
        ("/truncate/ten/a", "/truncate/ does not take `ten`; write a number of body bytes"),
        ("/reset/9999999999999/a", "/reset/ does not take `9999999999999`; write a number of body bytes"),
        ("/status/103/a", "/status/ does not take `103`; write a status from 200 to 599"),
        ("/redirect/0/a", "/redirect/ does not take `0`; write loop, to/URL, or 1 to 1000 hops"),
        ("/redirect/to/", "/redirect/to/ lacks its argument; write a percent-encoded URL"),
        ("/redirect/to/a%0d%0ab:c", "/redirect/to/ does not take `a%0d%0ab:c`; write a percent-encoded URL"),
        ("/lie/size/a", "/lie/ does not take `size`; write lie/type or lie/length"),
        ("/flaky/a", "/flaky/ does not take `a`; write a number of failures"),
        ("/bomb/zip", "/bomb/ does not take `zip`; write bomb/gzip, bomb/br, bomb/zstd or bomb/png"),
        ("/truncate/after/a", "/truncate/after/ does not take `a`; write a number of body bytes"),
        ("/slow/body/a", "/slow/ does not take `body`; write slow/headers/2s"),
        ("/slow/headers/a", "/slow/headers/ does not take `a`; write 500ms, 2s or 1.5s, at most 3600s"),
        ("/head/a", "/head/ does not take `a`; write head/endless or head/large/200k"),
        ("/head/large/17m/a", "/head/large/ does not take `17m`; write 4000, 200k or 1m, at most 16m"),
        ("/head/large/k/a", "/head/large/ does not take `k`; write 4000, 200k or 1m, at most 16m"),
        ("/range/a", "/range/ does not take `a`; write range/wrong or range/ignored"),
        ("/encoding", "/encoding/ lacks its argument; write encoding/gzip, encoding/br or encoding/zstd"),
        ("/changed/a", "/changed/ does not take `a`; write a number of requests"),
        ("/changed/2/to/", "/changed/2/to/ lacks its argument; write a percent-encoded path of a file"),
        ("/retry-after/soon", "/retry-after/ does not take `soon`; write a number of seconds, then a status"),
        ("/retry-after/2/a", "/retry-after/2/ does not take `a`; write a status from 200 to 599"),
        ("/header/a", "/header/ does not take `a`; write Name:value, +Name:value or -Name, percent-encoded"),
        ("/a%zz", "`a%zz` is not percent-encoded UTF-8"),
        ("/a%4", "`a%4` is not percent-encoded UTF-8"),
        ("/%ff", "`%ff` is not percent-encoded UTF-8"),
        ("/../etc/passwd", "`..` names nothing inside the served directory"),
        ("/%2e%2E/etc/passwd", "`%2e%2E` names nothing inside the served directory"),
        ("/a/../../b", "`..` names nothing inside the served directory"),
        ("/a%2fb", "`a%2fb` names nothing inside the served directory"),
        ("/a%00.png", "`a%00.png` names nothing inside the served directory"),
    ])
    func `the error of a malformed path has the correct form`(target: String, message: String) {
        let error = #expect(throws: OriginPathError.self) { try OriginRequestPath(parsing: target) }
        #expect(error?.description == message)
    }

    @Test func `a path with more than sixteen faults is refused`() throws {
        let sixteen = String(repeating: "/page", count: 16) + "/a.png"
        #expect(try OriginRequestPath(parsing: sixteen).faults.count == 16)
        #expect(throws: OriginPathError.tooManyFaults) { try OriginRequestPath(parsing: "/page" + sixteen) }
    }
}
