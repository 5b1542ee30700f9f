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
