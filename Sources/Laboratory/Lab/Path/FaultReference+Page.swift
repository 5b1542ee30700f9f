import Base
import NotificationModel
package import OriginFaults

extension FaultReference {
    /// The text of `docs/use/lab.md`, which is generated from the table of faults.
    package static var markdown: String {
        ([introduction] + groups.map(section) + [proxy]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # The laboratory

        `appgroupd lab` shows on one machine what happens to a push when its media origin has faults.

        | command | meaning |
        |---|---|
        | `lab run FILE` | [scenarios](testing.md): payloads, an origin with faults, and the expected results |
        | `lab new PAYLOAD`, `lab lint FILE` | a first scenario for a payload, and the mistakes of scenarios |
        | `lab serve FOLDER` | an origin with faults on request |
        | `lab proxy --origin URL` | an HTTP proxy with the cache of the daemon, in front of an origin |
        | `lab demo` | real payloads with good and bad media, and the expected result of each |
        | `lab bench late`, `cancel`, `text`, `dialects` | [measurements that check promises about time](../operate/operations.md#measuring) |

        ## An origin that misbehaves

        The path of a URL says which fault the origin shows. Run this example in the project's directory:

        ```console
        $ appgroupd lab serve fixtures/media &
        http://127.0.0.1:8499 serves fixtures/media; end it with ^C
        $ curl -sI http://127.0.0.1:8499/retry-after/2/503/photo-12mp.jpg
        HTTP/1.1 503 Service Unavailable
        Content-Type: text/html; charset=utf-8
        Retry-After: 2
        Appgroupd-Lab: faults
        Content-Length: 183
        ```

        Without a fault in the path, the origin serves the file correctly. The origin supports GET and HEAD, `ETag` and
        `Last-Modified`, conditional requests, and requests for one range. A missing file gets 404. `GET /` lists the
        faults, each with an example, and the files that are served.

        A path can have several faults, which act from left to right: `/delay/2s/stall/after/1000/photo-12mp.jpg`.

        * A duration has the form `500ms`, `2s` or `1.5s`, and is at most an hour.
        * Numbers of bytes refer to the body only. The headers do not count.
        * A `%` or a `/` within a value must be percent-encoded.
        * Each response has the field `Appgroupd-Lab: faults`. A daemon never lets the host of such a response
          [rest](../reference/fetching.md#resting-hosts), so the faults of one test do not change the next.
        * If a fault in the path is written incorrectly, the origin answers 400 and names the correct form. The origin
          also answers 400 if the first segment is a misspelled fault and no file or directory has this name.
        * `/flaky/` and `/changed/` count the requests for each path separately.

        The origin listens on loopback unless `--listen` names another address. The origin does not limit the number or
        the duration of connections, so do not make the origin reachable from a network.

        This command generates the page from the faults in the code:
        `REWRITE_GOLDENS=1 swift test --enable-swift-testing --filter FaultReferenceTests`.
        """

    private static let proxy = """
        ## The cache in front of an origin

        `lab proxy` answers HTTP requests from the cache or from the origin, by the rules of the fetcher. The header
        `Cache-Status` says where the response came from. [caching.md](../reference/caching.md#looking-at-it) explains the
        values of this header, and has the results of a public test suite.

        ```console
        $ appgroupd lab proxy --origin http://127.0.0.1:8499 &
        $ URL=http://127.0.0.1:8481/changed/1/header/Cache-Control:max-age=2/animation.gif
        $ for i in 1 2; do curl -si $URL | grep -ai cache-status; done
        Cache-Status: appgroupd; fwd=miss; stored
        Cache-Status: appgroupd; hit
        $ sleep 3; curl -si $URL | grep -ai -e cache-status -e ^etag
        ETag: "9667-…-changed"
        Cache-Status: appgroupd; fwd=miss; stored
        ```
        """

    private static func section(title: String, entries: [Entry]) -> String {
        let rows = entries.map { "| `\($0.path)` | \($0.meaning) |" }
        return (["### \(title)", "", "| path | what happens |", "|---|---|"] + rows).joined(separator: "\n")
    }
}

extension FaultReference {
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
}

extension FaultReference.Entry {
    /// The name of the fault: the first segment of its path.
    var name: Substring { path.dropFirst().prefix { $0 != "/" } }

    /// Returns a path that a client can request for a file, which has the form of ``OriginRequestPath/filePath``.
    package func example(of file: String) -> String {
        path.replacing("…", with: OriginIndex.path(of: file).dropFirst())
            .replacing("NAME:VALUE", with: "Cache-Control:no-store")
            .replacing("URL", with: PercentEncoding.text(of: OriginIndex.path(of: file)))
            .replacing("FILE", with: PercentEncoding.text(of: file))
    }
}
