/// How a reply is given, apart from what it says.
package struct Manner: Sendable, Equatable {
    /// Before the head.
    package var delay = Duration.zero
    /// No head, ever.
    package var isSilent = false
    /// The body is spread over so long.
    package var drip: Duration?
    /// Where the body breaks off. One past the body's end never strikes.
    package var cut: Cut?
    /// The `Content-Type` says HTML, whatever comes.
    package var liesAboutType = false
    /// The `Content-Length` says ``Fault/excessLength`` too much, and the connection closes at the body's end.
    package var liesAboutLength = false
    /// The body begins again at its end, chunked.
    package var isEndless = false

    package init() {}

    /// Of two cuts the earlier one strikes; at the same byte, the outer one, which came first.
    mutating func add(_ cut: Cut) {
        if let earlier = self.cut, earlier.offset <= cut.offset { return }
        self.cut = cut
    }
}
