extension FaultReference {
    /// `docs/lab.md`, written from the table of faults.
    package static var markdown: String {
        ([introduction] + groups.map(section) + [proxy]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # The laboratory

        `appgroupd lab` shows on one machine what happens to a push when its media origin has faults.

        | command | meaning |
        |---|---|
        | `lab serve FOLDER` | an origin with faults on request |
        | `lab proxy --origin URL` | the HTTP cache in front of an origin |
        | `lab demo` | real payloads with good and bad media, and the expected result of each |
        | `lab bench late`, `cancel`, `text` | [measurements of promises about time](operations.md#measuring) |

        ## An origin that misbehaves

        The path of a URL says which fault the origin shows. In the project's directory:

        ```console
        $ appgroupd lab serve fixtures/media &
        http://127.0.0.1:8499 serves fixtures/media; end it with ^C
        $ curl -sI http://127.0.0.1:8499/retry-after/2/503/photo-12mp.jpg
        HTTP/1.1 503 Service Unavailable
        Content-Type: text/html; charset=utf-8
        Retry-After: 2
        Content-Length: 184
        ```

        Without a fault in the path, the origin serves the file correctly: GET and HEAD, `ETag` and `Last-Modified`,
        conditional requests, one range, and 404 for a missing file. `GET /` lists the faults, each with an example, and
        the files that are served.

        Several faults can follow each other, and act from left to right: `/delay/2s/stall/after/1000/photo-12mp.jpg`.

        * Durations are written `500ms`, `2s` or `1.5s`, at most an hour.
        * Bytes of a body are counted without the headers.
        * A `%` or a `/` within a value is percent-encoded.
        * A fault with a mistake gets a 400 that names the correct form. A misspelled first segment gets one too, unless
          a file or directory has that name.
        * `/flaky/` and `/changed/` count the requests of each path separately.

        The origin listens on loopback unless `--listen` names another address. No limit ends a connection, so do not
        use the origin in a network.

        This page is generated from the table of faults: `REWRITE_GOLDENS=1 swift test --filter FaultReferenceTests`.
        """

    private static let proxy = """
        ## The cache, from outside

        `lab proxy` answers HTTP requests from the cache or from the origin, by the rules of the fetcher. `Cache-Status`
        says where the response came from. [caching.md](caching.md#looking-at-it) explains the values, and has the
        results of a public test suite.

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
