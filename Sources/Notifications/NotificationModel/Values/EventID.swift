import FoundationEssentials

/// The id of an event in a stream: `RUN-TIME-NUMBER`, in digits to the base 36. A client that was disconnected sends the
/// id of its last event, and the stream goes on after it.
///
/// The whole id finds the event while the daemon has it in memory. After that, the time finds the emissions that followed
/// it in the lists.
package struct EventID: Sendable, Equatable, CustomStringConvertible {
    /// The start of the daemon; `repeated` for an event that a stream has repeated from the lists.
    package var run: String
    /// The time of the event, in microseconds since 1970.
    package var place: Int
    /// A random number, at least 1, which distinguishes events of the same time. It does not show how many events other
    /// callers have.
    package var number: UInt64

    package static let repeated = "list"

    package init(run: String, place: Int, number: UInt64) {
        self.run = run
        self.place = place
        self.number = number
    }

    /// Reads an id; `nil` for a text of another form.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let place = Int(parts[1], radix: 36), place >= 0,
            place <= ListedNotification.place(of: .distantFuture),
            let number = UInt64(parts[2], radix: 36), number > 0
        else { return nil }
        self.init(run: String(parts[0]), place: place, number: number)
    }

    package var description: String { "\(run)-\(String(place, radix: 36))-\(String(number, radix: 36))" }
}
