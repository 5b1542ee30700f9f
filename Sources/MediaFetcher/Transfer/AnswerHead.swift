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
    /// `ETag` of a part, as it stands there.
    var entityTag: String?

    init(
        status: Int, declaredBytes: Int? = nil, contentEncodings: [String] = [], contentRange: String? = nil,
        entityTag: String? = nil
    ) {
        self.status = status
        self.declaredBytes = declaredBytes
        self.contentEncodings = contentEncodings
        self.entityTag = entityTag
        // In another answer it means nothing (RFC 9110 §14.4).
        guard status == 206, let range = contentRange.flatMap(ContentRange.init) else { return }
        rangeStart = range.bytes.lowerBound
        completeLength = range.completeLength
    }

    init(_ head: ResponseHead, declaredBytes: Int?) {
        // Most have neither an encoding nor a part, and to look for a field takes its time.
        self.init(
            status: head.status, declaredBytes: declaredBytes,
            contentEncodings: head.fields.contains(.contentEncoding) ? Self.encodings(head.fields) : [],
            contentRange: head.status == 206 ? head.fields[.contentRange] : nil,
            entityTag: head.status == 206 ? head.fields[.eTag] : nil)
    }

    private static func encodings(_ fields: HTTPFields) -> [String] {
        (fields[.contentEncoding] ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }
}
