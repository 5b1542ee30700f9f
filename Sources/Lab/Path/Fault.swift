/// One misbehaviour, as a path prefix asks for it.
package enum Fault: Sendable, Equatable {
    /// `/delay/2s/…`: so long before the first byte of the head.
    case delay(Duration)
    /// `/drip/10s/…`: the body arrives evenly spread over so long.
    case drip(over: Duration)
    /// `/stall/headers/…`: the request is taken, and nothing ever answers.
    case stallHeaders
    /// `/stall/after/1000/…`, `/truncate/1000/…`, `/reset/1000/…`: the body breaks off.
    case cut(Cut)
    /// `/status/503/…`: that status over a small HTML page.
    case status(Int)
    /// `/redirect/…`: 302 to a place the path names; the parser has worked out which.
    case redirect(to: String)
    /// `/lie/type/…`: the real bytes, called `text/html`.
    case lyingType
    /// `/lie/length/…`: a `Content-Length` that promises ``excessLength`` bytes more than come.
    case lyingLength
    /// `/page/…`: 200 and the file's own type, over an HTML page that says "not found".
    case page
    /// `/endless/…`: a chunked body that begins again at its end.
    case endless
    /// `/flaky/2/…`: 503 to the first so many requests for this path, then what follows.
    case flaky(failures: Int)
    /// `/bomb/gzip/…`, `/bomb/png/…`: a small body that unpacks to very much.
    case bomb(Bomb)

    /// What `/lie/length` promises too much, in bytes.
    package static let excessLength = 1000
}
