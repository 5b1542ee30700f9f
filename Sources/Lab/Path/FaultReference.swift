import NotificationModel
import WebURL

/// The documentation of the faults for users: for each fault, an example path and its effect.
package enum FaultReference {
    package struct Entry: Sendable {
        /// The path. It ends in `/…` if more faults and a file may follow.
        package let path: String
        package let meaning: String

        /// The name of the fault: the first segment of its path.
        var name: Substring { path.dropFirst().prefix { $0 != "/" } }

        /// Returns a path that a client can request.
        ///
        /// - Parameter file: The file below the served directory, as in ``OriginRequestPath/filePath``.
        package func example(of file: String) -> String {
            path.replacing("…", with: OriginIndex.path(of: file).dropFirst())
                .replacing("NAME:VALUE", with: "Cache-Control:no-store")
                .replacing("URL", with: PercentEncoding.text(of: OriginIndex.path(of: file)))
                .replacing("FILE", with: PercentEncoding.text(of: file))
        }
    }

    /// Returns the entries of the fault that a segment misspells. The name of the fault differs from the segment in at
    /// most two letters, or has the same letters in another order. For a name of up to five letters, only one letter
    /// may differ, because `sale` is not a misspelling of `page` or of `stall`.
    static func entries(misspelt segment: String) -> [Entry] {
        // A longer segment is not a typing error, and its comparison would take long.
        guard segment.utf8.count <= 16 else { return [] }
        let slips = entries.map { entry in
            let name = String(entry.name)
            let distance = NearestWord.distance(name, segment)
            let isSlip = distance <= (name.count > 5 ? 2 : 1) || name.sorted() == segment.sorted()
            return isSlip && distance > 0 ? distance : nil
        }
        guard let least = slips.compactMap(\.self).min(), let index = slips.firstIndex(of: least) else { return [] }
        return entries.filter { $0.name == entries[index].name }
    }

    /// The entries in lines with aligned columns, in the order of ``entries``, each indented by two spaces.
    package static var text: String {
        let width = (entries.map(\.path.count).max() ?? 0) + 2
        return entries.map { entry in
            "  \(entry.path)\(String(repeating: " ", count: width - entry.path.count))\(entry.meaning)"
        }.joined(separator: "\n")
    }

    package static let entries = groups.flatMap(\.entries)

    /// The groups of the page `docs/lab.md`, each with its heading.
    static let groups = [
        (title: "Time", entries: time), (title: "Bodies", entries: bodies), (title: "Responses", entries: answers),
        (title: "Headers", entries: heads), (title: "Caches and ranges", entries: caching),
    ]

    private static let time = [
        Entry(path: "/delay/2s/…", meaning: "answers after two seconds"),
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
