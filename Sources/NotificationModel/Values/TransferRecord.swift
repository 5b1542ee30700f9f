package import LinuxIO
package import Primitives

/// The record of a request to an origin, from which a laboratory can repeat the answer. It exists only while the daemon
/// records requests.
///
/// The record keeps the header fields of ``fields`` and no others, and a reference to the file with the body. The thread
/// of the transfer writes it, and any thread may read it.
package final class TransferRecord: Sendable, Equatable {
    /// The names of the header fields that are kept, in lower case. None of them has a secret, except for the query of
    /// a `Location`.
    package static let fields = ["content-type", "retry-after", "location"]
    /// The maximum length of the value of a field, in bytes. A longer value is left out.
    private static let longestField = 8_192

    /// The part of the response that has arrived.
    package struct Answer: Sendable {
        /// The values of the fields, by their names.
        package var fields: [String: String] = [:]
        /// The file with the decoded body, as far as it has arrived; `nil` before the first byte.
        package var file: MediaFile?
        /// The number of bytes of the body in the file.
        package var byteCount = 0
        /// The length of the whole body, in bytes; `nil` if the origin does not announce it.
        package var completeLength: Int?
        /// The time from the end of the headers to the last byte so far.
        package var active: Duration = .zero
        fileprivate var answeredAt: MonotonicInstant?
    }

    /// The URL of the request, with its query.
    package let url: String
    private let state = Guarded(Answer())

    package init(url: String) { self.url = url }

    package var answer: Answer { state.withLock { $0 } }

    /// Records that the headers of the response have arrived.
    ///
    /// - Parameter value: A function that returns the value of a field; `nil` if the response does not have it.
    package func answered(completeLength: Int?, at instant: MonotonicInstant, value: (String) -> String?) {
        let fields = Self.fields.compactMap { name in value(name).map { (name, $0) } }
            .filter { $0.1.utf8.count <= Self.longestField }
        state.withLock { answer in
            answer.fields = Dictionary(fields) { first, _ in first }
            answer.completeLength = completeLength
            answer.answeredAt = instant
        }
    }

    /// Records the bytes of the body that are in the file.
    package func received(_ file: MediaFile, byteCount: Int, at instant: MonotonicInstant) {
        state.withLock { answer in
            answer.file = file
            answer.byteCount = byteCount
            if let begin = answer.answeredAt { answer.active = max(.zero, begin.duration(to: instant)) }
        }
    }

    package static func == (one: TransferRecord, other: TransferRecord) -> Bool { one === other }
}
