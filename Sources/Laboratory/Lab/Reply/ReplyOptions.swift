import NIOHTTP1

/// The way in which a reply is sent, independent of its content.
package struct ReplyOptions: Sendable, Equatable {
    /// The delay before the head.
    package var delay = Duration.zero
    /// Whether no head is ever sent.
    package var isSilent = false
    /// The time over which the head is spread byte by byte; `nil` if it is sent at once.
    package var slowHead: Duration?
    /// The number of bytes in additional headers.
    package var headPadding = 0
    /// Whether the headers never end.
    package var headIsEndless = false
    /// The changes of headers in their order, which are applied after all other headers are set.
    package var fieldEdits: [FieldEdit] = []
    /// The time over which the body is spread; `nil` if it is sent at once.
    package var drip: Duration?
    /// The pieces of the body and the time over which they are sent; `nil` if the body is not sent in pieces.
    package var dribble: Dribble?
    /// The number of bytes of a packet; `nil` if the packets are as large as the network permits.
    package var slice: Int?
    /// The largest number of body bytes per second; `nil` if there is no limit.
    package var rate: Int?
    /// The offset at which the body breaks off. An offset after the end of the body has no effect.
    package var cut: Cut?
    /// Whether the `Content-Type` is HTML for all bodies.
    package var liesAboutType = false
    /// Whether the `Content-Length` is ``Fault/excessLength`` bytes too large. The connection is closed at the end.
    package var liesAboutLength = false
    /// Whether the body begins again at its end. Such a body is sent with chunked coding.
    package var isEndless = false

    package struct Dribble: Sendable, Equatable {
        package var pieces: Int
        package var time: Duration
    }

    package init() {}

    /// Applies a fault, and returns `false` if the fault concerns the content of the reply.
    mutating func take(_ fault: Fault) -> Bool {
        switch fault {
        case .delay(let duration): delay += duration
        case .dribble(let pieces, let time): dribble = Dribble(pieces: pieces, time: time)
        case .slices(let bytes): slice = min(bytes, slice ?? .max)
        case .drip(let duration): drip = max(duration, drip ?? .zero)
        case .rate(let rate): self.rate = min(rate, self.rate ?? .max)
        case .slowHead(let duration): slowHead = max(duration, slowHead ?? .zero)
        case .stallHeaders: isSilent = true
        case .cut(let cut): add(cut)
        case .lyingType: liesAboutType = true
        case .lyingLength: liesAboutLength = true
        case .endless: isEndless = true
        case .field(let edit): fieldEdits.append(edit)
        case .largeHead(let padding): headPadding = max(padding, headPadding)
        case .endlessHead: headIsEndless = true
        default: return false
        }
        return true
    }

    /// Returns the time over which a body of this size is spread; `nil` if the body is sent at once.
    package func time(ofBody size: Int) -> Duration? {
        let slow = rate.map { Duration.microseconds(Int64((Double(size) / Double($0) * 1e6).rounded())) }
        return [drip, slow].compactMap(\.self).max()
    }

    /// Returns the headers as the client must see them.
    func edited(_ fields: HTTPHeaders) -> HTTPHeaders {
        fieldEdits.reduce(into: fields) { fields, edit in edit.apply(to: &fields) }
    }

    /// Adds a cut. The cut at the earlier byte applies. At the same byte, the first one applies.
    private mutating func add(_ cut: Cut) {
        if let earlier = self.cut, earlier.offset <= cut.offset { return }
        self.cut = cut
    }
}
