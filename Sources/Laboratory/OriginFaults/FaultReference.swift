/// The documentation of the faults for users: for each fault, an example path and its effect.
package enum FaultReference {
    package struct Entry: Sendable {
        /// The example path. It ends in `/…` if more faults and a file may follow.
        package let path: String
        package let meaning: String
    }

    /// The entries as text, in the order of ``entries``.
    package static var text: String { aligned(entries.map { ($0.path, $0.meaning) }) }

    /// Returns rows in lines with aligned columns, each indented by two spaces.
    package static func aligned(_ rows: [(path: String, meaning: String)]) -> String {
        let width = (rows.map(\.path.count).max() ?? 0) + 2
        return rows.map { path, meaning in
            "  \(path)\(String(repeating: " ", count: width - path.count))\(meaning)"
        }.joined(separator: "\n")
    }

    package static let entries = groups.flatMap(\.entries)

    /// The groups of the page `docs/use/lab.md`, each with its heading.
    package static let groups = [
        (title: "Time", entries: time), (title: "Bodies", entries: bodies), (title: "Responses", entries: answers),
        (title: "Headers", entries: heads), (title: "Caches and ranges", entries: caching),
    ]

    private static let time = [
        Entry(path: "/delay/2s/…", meaning: "answers after two seconds"),
        Entry(path: "/delay/random/1s/0.5/…", meaning: "answers after a random time, one second in the median"),
        Entry(path: "/dribble/5/2s/…", meaning: "sends the body in five pieces over two seconds"),
        Entry(path: "/slices/100/…", meaning: "sends the body in packets of 100 bytes"),
        Entry(path: "/slow/headers/2s/…", meaning: "spreads the headers over two seconds, byte by byte"),
        Entry(path: "/drip/10s/…", meaning: "spreads the body over ten seconds"),
        Entry(path: "/rate/125000/…", meaning: "sends 125,000 bytes a second (1 Mbit/s)"),
        Entry(path: "/stall/headers/…", meaning: "never sends a response"),
        Entry(path: "/stall/after/1000/…", meaning: "sends nothing after 1,000 bytes of the body"),
    ]
    private static let bodies = [
        Entry(path: "/truncate/after/1000/…", meaning: "announces the whole body, sends 1,000 bytes, closes"),
        Entry(path: "/reset/after/1000/…", meaning: "resets the connection after 1,000 bytes"),
        Entry(path: "/lie/type/…", meaning: "sends the file, but declares the type text/html"),
        Entry(path: "/lie/length/…", meaning: "announces more bytes than the body has"),
        Entry(path: "/endless/…", meaning: "sends a body that never ends"),
        Entry(path: "/encoding/gzip/…", meaning: "always compresses the body; also br, zstd"),
        Entry(path: "/bomb/gzip", meaning: "sends a body that decodes to 1 GB; also br, zstd, png"),
    ]
    private static let answers = [
        Entry(path: "/status/503/…", meaning: "answers with the status 503 and an HTML page"),
        Entry(path: "/retry-after/2/503/…", meaning: "answers 503 with a Retry-After of two seconds"),
        Entry(path: "/redirect/3/…", meaning: "redirects three times; /redirect/loop never ends"),
        Entry(path: "/redirect/to/URL", meaning: "redirects to a percent-encoded URL"),
        Entry(path: "/page/…", meaning: "sends an HTML page with status 200 and the file's type"),
        Entry(path: "/flaky/2/…", meaning: "answers 503 twice, then sends the file"),
        Entry(path: "/chance/30/…", meaning: "answers 503 to 30 % of the requests, at random"),
        Entry(path: "/chance/30/reset/9/…", meaning: "resets 30 % of the requests after 9 bytes"),
        Entry(path: "/needs/Cookie/…", meaning: "answers 403 to a request without this header"),
        Entry(path: "/flaky/2/reset/9/…", meaning: "resets two requests after 9 bytes, then sends the file"),
    ]
    private static let heads = [
        Entry(path: "/header/NAME:VALUE/…", meaning: "sets a header; +NAME:VALUE adds one, -NAME removes it"),
        Entry(path: "/head/large/200k/…", meaning: "sends 200 KiB of additional headers"),
        Entry(path: "/head/endless/…", meaning: "sends headers that never end"),
    ]
    private static let caching = [
        Entry(path: "/range/ignored/…", meaning: "sends the whole file in response to a range request"),
        Entry(path: "/range/wrong/…", meaning: "sends a wrong range, also if no range was requested"),
        Entry(path: "/changed/2/…", meaning: "sends other bytes and ETag from the third request on"),
        Entry(path: "/changed/2/to/FILE/…", meaning: "sends FILE (percent-encoded) from the third request on"),
    ]
}
