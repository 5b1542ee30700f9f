import NIOHTTP1

/// How a reply is given, apart from what it says.
package struct Manner: Sendable, Equatable {
    /// Before the head.
    package var delay = Duration.zero
    /// No head, ever.
    package var isSilent = false
    /// The head is spread over so long, byte by byte.
    package var slowHead: Duration?
    /// The head has so many bytes of fields more.
    package var headPadding = 0
    /// The head's fields have no end.
    package var headIsEndless = false
    /// In this order, after everything that the origin says by itself.
    package var fieldEdits: [FieldEdit] = []
    /// The body is spread over so long.
    package var drip: Duration?
    /// Most bytes of the body a second.
    package var rate: Int?
    /// Where the body breaks off. One past the body's end never strikes.
    package var cut: Cut?
    /// The `Content-Type` says HTML, whatever comes.
    package var liesAboutType = false
    /// The `Content-Length` says ``Fault/excessLength`` too much, and the connection closes at the body's end.
    package var liesAboutLength = false
    /// The body begins again at its end, chunked.
    package var isEndless = false

    package init() {}

    /// `false` where the fault is about what is said.
    mutating func take(_ fault: Fault) -> Bool {
        switch fault {
        case .delay(let duration): delay += duration
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

    /// Returns the time that a body of this size is spread over; `nil` if the body is sent at once.
    package func time(ofBody size: Int) -> Duration? {
        let slow = rate.map { Duration.microseconds(Int64((Double(size) / Double($0) * 1e6).rounded())) }
        return [drip, slow].compactMap(\.self).max()
    }

    /// Fields as the client is to see them.
    func edited(_ fields: HTTPHeaders) -> HTTPHeaders {
        fieldEdits.reduce(into: fields) { fields, edit in edit.apply(to: &fields) }
    }

    /// Of two cuts the earlier one strikes; at the same byte, the outer one, which came first.
    private mutating func add(_ cut: Cut) {
        if let earlier = self.cut, earlier.offset <= cut.offset { return }
        self.cut = cut
    }
}
