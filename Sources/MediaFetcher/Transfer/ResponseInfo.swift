import Base
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel

/// The header fields of a response that decide whether its body is accepted.
struct ResponseInfo: Equatable {
    /// The `Accept-Encoding` of a media request. The decoders of these encodings hold 32 KiB for each transfer. The
    /// decoder of br holds 16 MiB and that of zstd 128 MiB. With zstd, 16 stalled responses of 1.4 kB each took 1.3 GB
    /// (`EncodedBombTests`).
    static let acceptedEncodings = "gzip, deflate"
    /// The names of the encodings that change a body and are not requested (IANA's registry of content codings). All
    /// other names are ignored, as in browsers. Origins send `utf-8`, `binary`, `aws-chunked` and others with bodies
    /// that are not encoded.
    private static let otherEncodings: Set<String> = [
        "br", "zstd", "compress", "x-compress", "exi", "pack200-gzip", "dcb", "dcz",
    ]

    var status: Int
    /// The `Content-Length`, in bytes before any decoding.
    var declaredBytes: Int?
    /// The `Content-Encoding` in lower case, without ignored names.
    var contentEncodings: [String] = []
    /// The `Transfer-Encoding` in lower case, without `chunked` and `identity`.
    var transferCodings: [String] = []
    /// The length of a body with `Transfer-Encoding: identity`, in bytes; `nil` if the body has another transfer
    /// encoding or no valid length. libcurl itself would wait for the end of the connection.
    var identityBytes: Int?
    /// The position of the first byte of a 206 response; `nil` if the status is not 206 (RFC 9110 §14.4).
    var rangeStart: Int?
    /// The length of the whole representation of a 206 response, in bytes; `nil` if it is unknown.
    var completeLength: Int?
    /// The position after the last byte of a 206 response; `nil` if the status is not 206.
    var rangeEnd: Int?
    /// The `Content-Type`, unchanged.
    var declaredType: String?
    /// The `ETag` of a partial response, unchanged.
    var entityTag: String?
    /// The `Last-Modified` of a partial response, unchanged.
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
        // In any other response, `Content-Range` has no meaning (RFC 9110 §14.4).
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

    /// The encoding that the decoder must undo; `nil` if the body is not encoded.
    var decoding: BodyDecoder.Coding? { contentEncodings.first.flatMap(Self.coding) }

    /// Whether the body has an encoding that was not requested.
    var hasUnrequestedEncoding: Bool { !Self.otherEncodings.isDisjoint(with: contentEncodings) }

    /// Whether a 206 response contains the whole file. Some origins always answer 206 (RFC 9110 §15.3.7).
    var isWholeRange: Bool { status == 206 && rangeStart == 0 && completeLength != nil && rangeEnd == completeLength }

    private static func codings(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }
}

extension ArrivingMedia.Version {
    /// Creates the version of a response; returns `nil` if it has neither a strong validator nor a length.
    init?(_ head: ResponseHead, completeLength: Int?, at date: Date) {
        let validator = Self.validator(of: head, at: date)
        guard validator != nil || completeLength != nil else { return nil }
        self.init(validator: validator, completeLength: completeLength)
    }

    /// Returns the strong entity tag, or a strong date if the response has no tag (RFC 9110 §13.1.5); otherwise `nil`.
    private static func validator(of head: ResponseHead, at date: Date) -> String? {
        if let tag = head.value(of: .eTag) { return tag.hasPrefix("\"") ? tag : nil }
        guard let modified = head.value(of: .lastModified), let change = HTTPDate.read(modified, now: date) else {
            return nil
        }
        // A response without a `Date` gets the time of its arrival (RFC 9110 §6.6.1).
        let sent = head.value(of: .date).flatMap { HTTPDate.read($0, now: date) } ?? date
        // A file that changes twice in a second has the same date for both versions (RFC 9110 §8.8.2.2).
        return sent.timeIntervalSince(change) >= 1 ? modified : nil
    }
}
