import Base
import NIOCore

/// The head of a request that a read from the connection contains from its first byte to its last, and that has no body.
/// The HTTP decoder keeps nothing of such a request, so the next read begins a new request.
struct PlainRequest {
    /// The fields that have no effect on the download of a whole file.
    private static let ignored: Set<String> = [
        "user-agent", "accept", "accept-encoding", "accept-language", "cookie", "dnt", "origin",
        "pragma", "priority", "referer", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site",
    ]

    /// The maximum number of fields. The decoder permits more.
    private static let maxFields = 48

    let target: String
    /// Whether no field asks for anything but the whole file, and there is one host.
    let isForWhole: Bool

    /// Reads the bytes of one read.
    ///
    /// - Returns: `nil` if the bytes are anything else than one whole head of a GET request over HTTP/1.1, or if their
    ///   form is unusual. The decoder then judges them.
    init?(_ bytes: ByteBufferView) {
        var rest = bytes
        guard let first = Self.nextLine(&rest), first.hasPrefix("GET /"), first.hasSuffix(" HTTP/1.1") else {
            return nil
        }
        let target = first.dropFirst(4).dropLast(9)
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var (lines, hosts, isForWhole) = (0, 0, true)
        while let line = Self.nextLine(&rest), !line.isEmpty {
            lines += 1
            guard lines <= Self.maxFields, let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") })
            else { return nil }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingBlanks
            switch name {
            case "content-length", "transfer-encoding", "upgrade", "expect": return nil
            case "host": hosts += Self.isUsualHost(value) ? 1 : 2
            case "connection": isForWhole = isForWhole && value.lowercased() == "keep-alive"
            default: isForWhole = isForWhole && Self.ignored.contains(name)
            }
            if rest.isEmpty { return nil }
        }
        guard bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), rest.isEmpty else { return nil }
        self.target = String(target)
        self.isForWhole = isForWhole && hosts == 1
    }

    /// Returns whether a `Host` has a name and a port without which the decoder would refuse it.
    private static func isUsualHost(_ value: Substring) -> Bool {
        let sides = value.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard !value.isEmpty, sides[0].allSatisfy({ $0.isASCIILetterOrDigit || $0 == dash || $0 == dot }) else {
            return false
        }
        guard sides.count == 2 else { return true }
        return sides[1].allSatisfy(\.isASCIIDigit) && Int(Substring(sides[1])).map { $0 <= 65_535 } == true
    }

    /// Removes a line from the bytes, and returns it without CR and LF; `nil` if there is no whole line, or if the line
    /// has another control character.
    private static func nextLine(_ rest: inout ByteBufferView) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end > rest.startIndex, rest[end - 1] == cr else {
            return nil
        }
        let line = rest[rest.startIndex..<(end - 1)]
        rest = rest[(end + 1)...]
        guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) else { return nil }
        return String(decoding: line, as: UTF8.self)
    }
}

private let cr = UInt8(ascii: "\r")
private let dash = UInt8(ascii: "-")
private let dot = UInt8(ascii: ".")
