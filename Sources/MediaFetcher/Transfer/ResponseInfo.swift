import HTTPCaching
import HTTPTypes

/// The fields of a response that decide whether its body is taken.
struct ResponseInfo: Equatable {
    /// `Accept-Encoding` of a media request. The decoders of these hold 32 KiB for each transfer. That of br holds 16 MiB
    /// and that of zstd 128 MiB: 16 stalled responses of 1.4 kB each took 1.3 GB (`EncodedBombTests`).
    static let acceptedEncodings = "gzip, deflate"
    /// Names of the encodings that libcurl decodes for that request.
    private static let decodedEncodings: Set<String> = ["gzip", "x-gzip", "deflate", "none"]

    var status: Int
    /// `Content-Length`, before any decoding.
    var declaredBytes: Int?
    /// `Content-Encoding`, without `identity`, lower case.
    var contentEncodings: [String] = []
    /// `Transfer-Encoding`, without `chunked` and `identity`, lower case.
    var transferCodings: [String] = []
    /// The first byte of the part that a 206 brings, and the length of the whole (RFC 9110 §14.4).
    var rangeStart: Int?
    var completeLength: Int?
    /// `ETag` of a part, as it stands there.
    var entityTag: String?
    /// `Last-Modified` of a part, as it stands there.
    var lastModified: String?

    init(
        status: Int, declaredBytes: Int? = nil, contentEncodings: [String] = [], transferCodings: [String] = [],
        contentRange: String? = nil, entityTag: String? = nil, lastModified: String? = nil
    ) {
        self.status = status
        self.declaredBytes = declaredBytes
        self.contentEncodings = contentEncodings
        self.transferCodings = transferCodings
        self.entityTag = entityTag
        self.lastModified = lastModified
        // In another answer it means nothing (RFC 9110 §14.4).
        guard status == 206, let range = contentRange.flatMap(ContentRange.init) else { return }
        rangeStart = range.bytes.lowerBound
        completeLength = range.completeLength
    }

    init(_ head: ResponseHead, declaredBytes: Int?) {
        self.init(
            status: head.status, declaredBytes: declaredBytes,
            contentEncodings: Self.codings(head.value(of: .contentEncoding)),
            transferCodings: Self.codings(head.value(of: .transferEncoding)).filter { $0 != "chunked" },
            contentRange: head.status == 206 ? head.value(of: .contentRange) : nil,
            entityTag: head.status == 206 ? head.value(of: .eTag) : nil,
            lastModified: head.status == 206 ? head.value(of: .lastModified) : nil)
    }

    /// Whether an encoding was not requested. libcurl decodes such a body all the same.
    var hasUnrequestedEncoding: Bool { !Self.decodedEncodings.isSuperset(of: contentEncodings) }

    private static func codings(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }
}
