/// A lenient parser for HTTP/1 responses that libcurl refuses and browsers accept. The parser ignores header lines
/// without a colon or with a NUL, and a malformed `Content-Length`.
///
/// The parser does no input or output, and holds at most one header line.
struct LenientResponse {
    enum Part {
        /// A header or trailer line with its line end. An empty line is the end of the headers.
        case line([UInt8])
        /// The range of body bytes among the bytes that were read.
        case body(Range<Int>)
        /// The end of the response, even if the connection stays open.
        case end
        /// The bytes are not an HTTP response.
        case malformed
    }

    private enum Place {
        case statusLine
        case fields
        /// The body. If `missing` is `nil`, it ends with the connection.
        case body(missing: Int?)
        case chunkSize
        case chunk(missing: Int)
        case chunkEnd
        case trailer
        case ended
    }

    /// The limit of libcurl (CURL_MAX_HTTP_HEADER), in bytes.
    private static let maxLine = 102_400

    /// The status of the last headers.
    private(set) var status = 0
    /// The length that the headers announce; `nil` if it is absent or malformed.
    private(set) var declaredBytes: Int?
    private var isChunked = false
    private var place = Place.statusLine
    private var line: [UInt8] = []

    /// Whether the response is complete if the connection closes here.
    var isWhole: Bool {
        switch place {
        case .ended, .body(nil): true
        default: false
        }
    }

    /// Returns the next part from an offset, which it moves to the end of the part; `nil` if all bytes are read.
    mutating func next(in bytes: Span<UInt8>, at place: inout Int) -> Part? {
        while place < bytes.count {
            switch self.place {
            case .ended: return .end
            case .body(nil): return .body(Self.take(bytes.count, in: bytes, at: &place))
            case .body(let missing?):
                guard missing > 0 else { return end() }
                let part = Self.take(missing, in: bytes, at: &place)
                self.place = .body(missing: missing - part.count)
                return .body(part)
            case .chunk(let missing):
                let part = Self.take(missing, in: bytes, at: &place)
                self.place = part.count == missing ? .chunkEnd : .chunk(missing: missing - part.count)
                return .body(part)
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
                guard takeLine(in: bytes, at: &place) else { continue }
                defer { line.removeAll(keepingCapacity: true) }
                if line.count > Self.maxLine { return .malformed }
                if let part = lineEnded() { return part }
            }
        }
        if case .body(0?) = self.place { return end() }
        return nil
    }

    private mutating func end() -> Part {
        place = .ended
        return .end
    }

    private static func take(_ count: Int, in bytes: Span<UInt8>, at place: inout Int) -> Range<Int> {
        let start = place
        place += min(count, bytes.count - start)
        return start..<place
    }

    /// Appends bytes to the current line, and returns whether the line is complete or too long.
    private mutating func takeLine(in bytes: Span<UInt8>, at place: inout Int) -> Bool {
        while place < bytes.count {
            line.append(bytes[place])
            place += 1
            if line.last == UInt8(ascii: "\n") || line.count > Self.maxLine { return true }
        }
        return false
    }

    private mutating func lineEnded() -> Part? {
        switch place {
        case .statusLine: return takeStatusLine()
        case .fields: return takeField()
        case .chunkSize: return takeChunkSize()
        case .chunkEnd:
            place = .chunkSize
            return nil
        case .trailer: return isEmpty ? end() : nil
        case .body, .chunk, .ended: return nil
        }
    }

    private var isEmpty: Bool { line.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") } }

    /// Parses `HTTP/1.1 200 OK`, or `ICY 200 OK` of an audio server.
    private mutating func takeStatusLine() -> Part {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        let number = words.dropFirst().first.flatMap { Int(String(decoding: $0.prefix(3), as: UTF8.self)) }
        guard let number, (100...999).contains(number), let version = words.first,
            version.starts(with: "HTTP/1.".utf8) || version.elementsEqual("ICY".utf8)
        else { return .malformed }
        (status, declaredBytes, isChunked, place) = (number, nil, false, .fields)
        return .line(line)
    }

    private mutating func takeField() -> Part? {
        if isEmpty {
            endHead()
            return .line(line)
        }
        let isContinued = line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t")
        guard !line.contains(0), isContinued || line.contains(UInt8(ascii: ":")) else { return nil }
        let field = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
        let value = field.last.map { $0.filter { !$0.isWhitespace } } ?? ""
        switch field.first?.lowercased() {
        case "content-length": if let length = Int(value), length >= 0 { declaredBytes = length }
        case "transfer-encoding": isChunked = value.lowercased() == "chunked"
        default: break
        }
        return .line(line)
    }

    private mutating func endHead() {
        place =
            if status < 200, status != 101 {
                .statusLine
            } else if status == 204 || status == 304 {
                .body(missing: 0)
            } else if isChunked {
                .chunkSize
            } else {
                .body(missing: declaredBytes)
            }
    }

    /// Parses the hexadecimal length of a chunk, before extensions after a semicolon (RFC 9112 §7.1).
    private mutating func takeChunkSize() -> Part? {
        let digits = line.prefix { UnicodeScalar($0).properties.isASCIIHexDigit }
        guard let count = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return .malformed }
        place = count == 0 ? .trailer : .chunk(missing: count)
        return nil
    }
}
