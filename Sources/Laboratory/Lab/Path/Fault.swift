/// A fault, or a property of a correct origin, that a path prefix requests. ``FaultReference`` is for users.
package enum Fault: Sendable, Equatable {
    /// The fault `/delay/2s/…`: the first byte of the head is delayed by this time.
    case delay(Duration)
    /// The fault `/delay/random/1s/0.5/…`: a random delay with this median, whose logarithm has this deviation.
    case randomDelay(median: Duration, sigma: Double)
    /// The fault `/chance/30/…`: the faults after this segment apply only to this share of the requests. If no
    /// fault follows, those requests get 503, as with `flaky`.
    case chance(percent: Int)
    /// The fault `/dribble/5/2s/…`: the body is sent in this number of pieces over this time.
    case dribble(pieces: Int, over: Duration)
    /// The fault `/slices/100/…`: the body is sent in packets of this number of bytes.
    case slices(bytes: Int)
    /// The property `/needs/Cookie/…`: a request without this header gets 403.
    case needs(field: String)
    /// The fault `/drip/10s/…`: the body is spread evenly over this time.
    case drip(over: Duration)
    /// The fault `/rate/125000/…`: the body has at most this number of bytes per second, as on a slow network link.
    case rate(bytesPerSecond: Int)
    /// The fault `/slow/headers/2s/…`: the head is sent byte by byte, evenly spread over this time.
    case slowHead(over: Duration)
    /// The fault `/stall/headers/…`: the request is received, and no response is ever sent.
    case stallHeaders
    /// The faults `/stall/after/1000/…`, `/truncate/1000/…` and `/reset/after/1000/…`: the body breaks off.
    case cut(Cut)
    /// The fault `/status/503/…`: this status with a small HTML page.
    case status(Int)
    /// The fault `/retry-after/2/503/…`: a status with a `Retry-After` header of this number of seconds.
    case retryAfter(seconds: Int, status: Int)
    /// The fault `/redirect/…`: 302 to a location that the parser has computed from the path.
    case redirect(to: String)
    /// The fault `/lie/type/…`: the correct bytes with the type `text/html`.
    case lyingType
    /// The fault `/lie/length/…`: a `Content-Length` that exceeds the body by ``excessLength`` bytes.
    case lyingLength
    /// The fault `/page/…`: an HTML page that says "not found", with the status 200 and the file's own type.
    case page
    /// The fault `/endless/…`: a chunked body that begins again at its end.
    case endless
    /// The fault `/flaky/2/…`: the faults after this segment apply only to this number of first requests for the path.
    /// Later requests get the file. If no fault follows, or if a redirect follows, the first requests get 503. A
    /// redirect uses the rest of the path, so a path with a redirect names no file.
    case flaky(failures: Int)
    /// The faults `/bomb/gzip/…`, `/bomb/br/…`, `/bomb/zstd/…` and `/bomb/png/…`: a small body with a huge content.
    case bomb(Bomb)
    /// The faults `/header/Cache-Control:max-age=60/…`, `/header/+Set-Cookie:a=b/…` and `/header/-ETag/…`: a change of
    /// one header.
    case field(FieldEdit)
    /// The fault `/head/large/200k/…`: this number of bytes in additional headers.
    case largeHead(padding: Int)
    /// The fault `/head/endless/…`: headers that never end.
    case endlessHead
    /// The faults `/range/wrong/…` and `/range/ignored/…`: another response to a range request.
    case range(RangeSupport)
    /// The faults `/changed/2/…` and `/changed/2/to/other.jpg/…`: another file after this number of requests.
    case changed(FileChange)
    /// The faults `/encoding/gzip/…`, `/encoding/br/…` and `/encoding/zstd/…`: the file with this `Content-Encoding`,
    /// whether or not the client accepts it.
    case encoding(ContentCoding)

    /// The number of bytes by which `/lie/length` exceeds the body.
    package static let excessLength = 1000
    /// The maximum number of bytes that `/head/large` adds.
    package static let largestPadding = 16 << 20
}

/// The offset at which a body breaks off before its end, and the way in which it breaks off.
package struct Cut: Sendable, Equatable {
    package enum ReplyOptions: Sendable, Equatable {
        /// The origin sends nothing more, and the connection stays open.
        case stall
        /// The connection is closed in order (FIN).
        case close
        /// The connection is aborted (RST).
        case reset
    }

    /// The number of body bytes before the break.
    package var offset: Int
    package var options: ReplyOptions

    package init(after offset: Int, _ options: ReplyOptions) {
        self.offset = offset
        self.options = options
    }
}

/// A change of a file: the number of requests before the change, and the file after it.
package struct FileChange: Sendable, Equatable {
    /// The number of first requests for the path that get the original file.
    package var requests: Int
    /// The file that later requests get, in the form of ``OriginRequestPath/filePath``. `nil` for other bytes.
    package var replacement: String?

    package init(after requests: Int, to replacement: String? = nil) {
        self.requests = requests
        self.replacement = replacement
    }
}

/// The handling of range requests.
package enum RangeSupport: Sendable, Equatable {
    /// The requested range is sent, and the whole file if no range is requested (RFC 9110, section 14).
    case answered
    /// The response is 206 with another range than the requested one, also if no range is requested.
    case wrong
    /// The whole file is sent in all cases.
    case ignored
}
