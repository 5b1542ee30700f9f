import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NIOCore

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
            limit = checked.advanced(by: min(PreparedHeads.maxLife, .seconds(age)))
        }
    }

    /// The time for which a file that is removed from the disk may still be sent.
    private static let maxLife: Duration = .seconds(1)
    /// The maximum number of heads. Each takes about 600 bytes, and at most `maxTarget` for its target.
    private static let most = 1_024
    /// The maximum length of a target, in bytes. The longest target of a rendition with a signature has about 330.
    private static let maxTarget = 512

    private var heads: [String: Head] = [:]
    /// The number of times that all heads were removed.
    private(set) var generation = 0

    /// Returns the head for a target; `nil` if no head is prepared, or if its URL and its file must be checked again.
    func head(for target: String, at now: MonotonicInstant) -> Head? {
        guard let head = heads[target], now < head.limit else { return nil }
        return head
    }

    /// - Parameter generation: The generation before the URL was checked. A URL that was checked before the last removal
    ///   of all heads may not be valid any more, and its head is not inserted.
    mutating func insert(_ head: Head, for target: String, checkedIn generation: Int, at now: MonotonicInstant) {
        guard generation == self.generation, target.utf8.count <= Self.maxTarget else { return }
        if heads.count >= Self.most { heads = heads.filter { now < $0.value.limit } }
        if heads.count >= Self.most { heads = [:] }
        heads[target] = head
    }

    mutating func removeAll() {
        heads = [:]
        generation += 1
    }
}
