/// One misbehaviour, or one way of a sound origin, as a path prefix asks for it. ``FaultReference`` has them as a user
/// reads them.
package enum Fault: Sendable, Equatable {
    /// `/delay/2s/…`: so long before the first byte of the head.
    case delay(Duration)
    /// `/drip/10s/…`: the body arrives evenly spread over so long.
    case drip(over: Duration)
    /// `/rate/125000/…`: the body arrives with at most this number of bytes a second, as over a slow line.
    case rate(bytesPerSecond: Int)
    /// `/slow/headers/2s/…`: the head arrives byte by byte, evenly spread over so long.
    case slowHead(over: Duration)
    /// `/stall/headers/…`: the request is taken, and nothing ever answers.
    case stallHeaders
    /// `/stall/after/1000/…`, `/truncate/1000/…`, `/reset/after/1000/…`: the body breaks off.
    case cut(Cut)
    /// `/status/503/…`: that status over a small HTML page.
    case status(Int)
    /// `/retry-after/2/503/…`: the same, with a `Retry-After` of so many seconds.
    case retryAfter(seconds: Int, status: Int)
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
    /// `/flaky/2/…`: to the first so many requests for this path, what stands right of it happens; later requests get
    /// the file. Where nothing stands right of it, 503 happens; and so it does before a redirect, which takes the rest
    /// of the path with it and leaves no file.
    case flaky(failures: Int)
    /// `/bomb/gzip/…`, `/bomb/br/…`, `/bomb/zstd/…`, `/bomb/png/…`: a small body that unpacks to very much.
    case bomb(Bomb)
    /// `/header/Cache-Control:max-age=60/…`, `/header/+Set-Cookie:a=b/…`, `/header/-ETag/…`: one field of the head.
    case field(FieldEdit)
    /// `/head/large/200k/…`: so many bytes of fields more than there are.
    case largeHead(padding: Int)
    /// `/head/endless/…`: fields, and more fields.
    case endlessHead
    /// `/range/wrong/…`, `/range/ignored/…`: what becomes of a `Range`.
    case range(RangeManner)
    /// `/changed/2/…`, `/changed/2/to/other.jpg/…`: another file from the request after so many on.
    case changed(FileChange)
    /// `/encoding/gzip/…`, `/encoding/br/…`, `/encoding/zstd/…`: the file under that `Content-Encoding`, asked for or
    /// not.
    case encoding(ContentCoding)

    /// What `/lie/length` promises too much, in bytes.
    package static let excessLength = 1000
    /// What `/head/large` adds at most, in bytes.
    package static let largestPadding = 16 << 20
}

/// Where and how a body breaks off before its end.
package struct Cut: Sendable, Equatable {
    package enum Manner: Sendable, Equatable {
        /// Silence; the connection stays open.
        case stall
        /// An orderly close (FIN).
        case close
        /// An abortive close (RST).
        case reset
    }

    /// How many body bytes come before it.
    package var offset: Int
    package var manner: Manner

    package init(after offset: Int, _ manner: Manner) {
        self.offset = offset
        self.manner = manner
    }
}

/// When a file becomes another, and which.
package struct FileChange: Sendable, Equatable {
    /// So many requests for the path still get the file as it is.
    package var requests: Int
    /// The file that is served from then on, in ``OriginRequestPath/filePath``'s form. `nil`: the same one with other
    /// bytes.
    package var replacement: String?

    package init(after requests: Int, to replacement: String? = nil) {
        self.requests = requests
        self.replacement = replacement
    }
}

/// What becomes of a `Range`.
package enum RangeManner: Sendable, Equatable {
    /// The range that was asked for, and nobody else gets one (RFC 9110, section 14).
    case answered
    /// 206 with another range than the one asked for, and 206 to who did not ask.
    case wrong
    /// The whole file, whatever was asked for.
    case ignored
}
