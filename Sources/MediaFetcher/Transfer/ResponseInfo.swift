import HTTPCaching
import HTTPTypes

/// The fields of a response that decide whether its body is taken.
struct ResponseInfo: Equatable {
    /// `Accept-Encoding` of a media request. The decoders of these hold 32 KiB for each transfer. That of br holds 16 MiB
    /// and that of zstd 128 MiB: 16 stalled responses of 1.4 kB each took 1.3 GB (`EncodedBombTests`).
    static let acceptedEncodings = "gzip, deflate"
    /// Names of the encodings that change a body, and that are not requested (IANA's registry of content codings). Any
    /// other name means nothing, as browsers take it: origins send `utf-8`, `binary`, `aws-chunked` and others with
    /// bodies that are not encoded.
    private static let otherEncodings: Set<String> = [
        "br", "zstd", "compress", "x-compress", "exi", "pack200-gzip", "dcb", "dcz",
    ]

    var status: Int
    /// `Content-Length`, before any decoding.
    var declaredBytes: Int?
    /// `Content-Encoding`, without names that mean nothing, lower case.
    var contentEncodings: [String] = []
    /// `Transfer-Encoding`, without `chunked` and `identity`, lower case.
    var transferCodings: [String] = []
    /// The length of a body under `Transfer-Encoding: identity`, where libcurl waits for the end of the connection instead.
    var identityBytes: Int?
    /// The first byte of the part that a 206 brings, and the length of the whole (RFC 9110 §14.4).
    var rangeStart: Int?
    var completeLength: Int?
    /// Behind the last byte of that part.
    var rangeEnd: Int?
    /// `Content-Type`, as it stands there.
    var declaredType: String?
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
        rangeEnd = range.bytes.upperBound
        completeLength = range.completeLength
    }

    init(_ head: ResponseHead, declaredBytes: Int?) {
        let codings = Self.codings(head.value(of: .transferEncoding))
        let isIdentity = codings.isEmpty && head.value(of: .transferEncoding) != nil
        let identityBytes = isIdentity ? head.value(of: .contentLength).flatMap { Int($0) } : nil
        self.init(
            status: head.status, declaredBytes: declaredBytes ?? identityBytes,
            contentEncodings: Self.codings(head.value(of: .contentEncoding)).filter(Self.isMeant),
            transferCodings: codings.filter { $0 != "chunked" },
            contentRange: head.status == 206 ? head.value(of: .contentRange) : nil,
            entityTag: head.status == 206 ? head.value(of: .eTag) : nil,
            lastModified: head.status == 206 ? head.value(of: .lastModified) : nil)
        declaredType = head.value(of: .contentType)
        self.identityBytes = identityBytes.flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func isMeant(_ name: String) -> Bool { coding(name) != nil || otherEncodings.contains(name) }

    private static func coding(_ name: String) -> BodyDecoder.Coding? {
        switch name {
        case "gzip", "x-gzip": .gzip
        case "deflate": .deflate
        default: nil
        }
    }

    /// How the body is decoded; `nil`: it is as it is.
    var decoding: BodyDecoder.Coding? { contentEncodings.first.flatMap(Self.coding) }

    /// Whether an encoding was not requested.
    var hasUnrequestedEncoding: Bool { !Self.otherEncodings.isDisjoint(with: contentEncodings) }

    /// Whether the response has all of a file, in answer to a request for it (RFC 9110, 15.3.7: some origins answer 206
    /// always).
    var isWholeRange: Bool {
        status == 206 && rangeStart == 0 && completeLength != nil && rangeEnd == completeLength
    }

    private static func codings(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }
}
