import HTTPCaching
import HTTPTypes

/// What the head of an answer says, as far as it matters for taking the body.
struct AnswerHead: Equatable {
    var status: Int
    /// `Content-Length`, before any decoding.
    var declaredBytes: Int?
    /// `Content-Encoding`, without `identity`, lower case.
    var contentEncodings: [String] = []
    /// Where the part begins that a 206 brings, and how long the whole is (RFC 9110 §14.4).
    var rangeStart: Int?
    var completeLength: Int?
    /// `ETag`, as it stands there.
    var entityTag: String?

    init(
        status: Int, declaredBytes: Int? = nil, contentEncodings: [String] = [], contentRange: String? = nil,
        entityTag: String? = nil
    ) {
        self.status = status
        self.declaredBytes = declaredBytes
        self.contentEncodings = contentEncodings
        self.entityTag = entityTag
        guard let contentRange else { return }
        let parts = contentRange.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let range = parts[1].split(separator: "/", maxSplits: 1)
        rangeStart = range.first?.split(separator: "-").first.flatMap { Int($0) }
        completeLength = range.count == 2 ? Int(range[1]) : nil
    }

    init(_ head: ResponseHead, declaredBytes: Int?) {
        let encodings = head.fields[values: .contentEncoding].joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        self.init(
            status: head.status, declaredBytes: declaredBytes,
            contentEncodings: encodings.filter { !$0.isEmpty && $0 != "identity" },
            contentRange: head.fields[.contentRange], entityTag: head.fields[.eTag])
    }
}
