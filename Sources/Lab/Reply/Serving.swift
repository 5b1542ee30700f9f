/// What faults make of a file before it is a reply.
package struct Serving: Sendable, Equatable {
    package var change: FileChange?
    package var coding: ContentCoding?
    package var ranges = RangeManner.answered

    package init() {}

    /// `false` where the fault is none of these. Of two changes, codings or manners the inner one counts.
    mutating func take(_ fault: Fault) -> Bool {
        switch fault {
        case .changed(let change): self.change = change
        case .encoding(let coding): self.coding = coding
        case .range(let manner): ranges = manner
        default: return false
        }
        return true
    }
}
