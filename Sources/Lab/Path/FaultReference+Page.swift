extension FaultReference {
    /// `docs/lab.md`, written from the table of faults.
    package static var markdown: String {
        ([introduction] + groups.map(section) + [proxy]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # The laboratory

        `appgroupd lab` shows what becomes of a push when its media misbehave, on one machine.

        | command | what it is |
        |---|---|
        | `lab serve FOLDER` | an origin that misbehaves on request |
        | `lab proxy --origin URL` | the HTTP cache in front of an origin |
        | `lab demo` | real payloads, with good and bad media, each with what it should become |
        | `lab bench late`, `cancel`, `text` | [what is promised about time](operations.md#measuring) |

        ## An origin that misbehaves

        In the project's folder:

        ```console
        $ appgroupd lab serve fixtures/media &
        http://127.0.0.1:8499 serves fixtures/media; end it with ^C
        $ curl -sI http://127.0.0.1:8499/retry-after/2/503/photo-12mp.jpg
        HTTP/1.1 503 Service Unavailable
        Content-Type: text/html; charset=utf-8
        Retry-After: 2
        Content-Length: 184
        ```

        Without a fault it is an origin as it should be: GET and HEAD, `ETag` and `Last-Modified`, conditions, one range,
        404 for what is not there. The path says what goes wrong. Faults may follow each other, and act from left to
        right: `/delay/2s/stall/after/1000/photo-12mp.jpg`. Durations are `500ms`, `2s`, `1.5s`, an hour at most; bytes
        of a body are counted without its head; what has a `%` or a `/` of its own is percent-encoded. A fault that is
        written wrongly is a 400 that says what to write instead. So is a first segment that misspells a fault by one or
        two letters (one in names of up to five), unless a file or folder has that name. Requests are counted by path:
        those of `/flaky/` and `/changed/` begin anew with each spelling.

        `GET /` lists the faults, each with an example, and the files that are served.

        It listens on loopback unless `--listen` says otherwise, and no limit ends a connection: it is not for a network.

        This page is made from the table of faults; `REWRITE_GOLDENS=1 swift test --filter FaultReferenceTests` rewrites
        it.
        """

    private static let proxy = """
        ## The cache, from outside

        `lab proxy` answers HTTP as the fetcher would have it answered, from its cache or from the origin, and says in
        `Cache-Status` which. [caching.md](caching.md#looking-at-it) has what that means, and how the cache does in a
        public suite.

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
