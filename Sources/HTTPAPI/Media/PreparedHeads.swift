import HTTPTypes
import HummingbirdCore
import NIOCore
import Primitives

/// The heads of responses with files in memory, by the targets of their requests.
struct PreparedHeads: Sendable {
    struct Head: Sendable {
        let address: MediaAddress
        /// The status line and the fields, without the empty line at the end of the head.
        let bytes: ByteBuffer
        /// The instant from which the URL and the file are checked again.
        fileprivate let limit: MonotonicInstant

        /// - Parameter checked: The instant at which the URL was checked.
        /// - Parameter age: The time in seconds for which the URL was valid then.
        init(_ response: Response, of address: MediaAddress, checkedAt checked: MonotonicInstant, age: Int) {
            self.address = address
            var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\n")
            for field in response.headers { bytes.writeString("\(field.name): \(field.value)\r\n") }
            self.bytes = bytes
            limit = checked.advanced(by: min(PreparedHeads.longestLife, .seconds(age)))
        }
    }

    /// The time for which a file that is removed from the disk may still be sent.
    private static let longestLife: Duration = .seconds(1)
    /// The maximum number of heads, each of about 600 bytes.
    private static let most = 1_024

    private var heads: [String: Head] = [:]

    /// Returns the head for a target; `nil` if no head is prepared, or if its URL and its file must be checked again.
    func head(for target: String, at now: MonotonicInstant) -> Head? {
        guard let head = heads[target], now < head.limit else { return nil }
        return head
    }

    mutating func insert(_ head: Head, for target: String) {
        if heads.count >= Self.most { heads = [:] }
        heads[target] = head
    }

    mutating func removeAll() { heads = [:] }
}
