import NIOCore
import Primitives
import WebURL

/// The head of a request that a read from the connection contains from its first byte to its last, and that has no body.
/// The HTTP decoder keeps nothing of such a request, so the next read begins a new request.
struct PlainRequest {
    /// The fields that have no effect on the download of a whole file.
    private static let ignored: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "accept-language", "connection", "cookie", "dnt", "origin",
        "pragma", "priority", "referer", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site",
    ]

    /// The maximum number of lines. The decoder permits more fields.
    private static let mostLines = 50

    let target: String
    /// Whether no field asks for anything but the whole file, and there is one host.
    let isForWhole: Bool

    /// Reads the bytes of one read.
    ///
    /// - Returns: `nil` if the bytes are anything else than one whole head of a GET request over HTTP/1.1, or if their
    ///   form is unusual. The decoder then judges them.
    init?(_ bytes: ByteBufferView) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard (3...Self.mostLines).contains(lines.count), lines.popLast()?.isEmpty == true,
            lines.popLast()?.elementsEqual([cr]) == true,
            let first = Self.text(lines.popFirst()), first.hasPrefix("GET /"), first.hasSuffix(" HTTP/1.1")
        else { return nil }
        let target = first.dropFirst(4).dropLast(9)
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var (hosts, isForWhole) = (0, true)
        for line in lines {
            guard let field = Self.text(line), let colon = field.firstIndex(of: ":"), colon > field.startIndex,
                field[..<colon].utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") })
            else { return nil }
            let name = field[..<colon].lowercased()
            let value = field[field.index(after: colon)...]
            switch name {
            case "content-length", "transfer-encoding", "upgrade", "expect": return nil
            case "host": hosts += Authority(value.trimmingBlanks) == nil ? 2 : 1
            case "connection": isForWhole = isForWhole && value.trimmingBlanks.lowercased() == "keep-alive"
            default: break
            }
            isForWhole = isForWhole && Self.ignored.contains(name)
        }
        self.target = String(target)
        self.isForWhole = isForWhole && hosts == 1
    }

    /// Returns a line without its CR; `nil` if it does not end with CR, or has another control character.
    private static func text(_ line: ByteBufferView?) -> String? {
        guard let line, line.last == cr, line.dropLast().allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) else {
            return nil
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}

private let cr = UInt8(ascii: "\r")
