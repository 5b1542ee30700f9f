/// Finds anchors, aliases and texts of several lines without parsing: the first token that begins with `&`, `*`, `|` or
/// `>`, and quotes that do not end on their line.
///
/// A scanner of tokens, not of structure: it knows where a token can begin, what is quoted and what is a comment
/// (YAML 1.1 §5.3). Outside of brackets, each line counts as a beginning, also where it goes on with a plain text: what
/// looks like a quotation mark there hides nothing, because it must be closed on the line, and a plain text that has
/// gone on is no key.
struct YAMLMarkup {
    static let aliasProblem =
        "& and * begin an anchor or alias, which are not taken here: put the text in quotes, as \"*.example.com\""
    private static let blockProblem = "| and > begin a block of text, which nothing here needs: write it in quotes"
    private static let quoteProblem = "a text in quotes must end on its line"

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var flowDepth = 0
    private var canBegin = true
    /// Whether the last token is a text without quotes, which goes on in the next line of a bracket.
    private var isPlain = false

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func find(in text: String) -> (line: Int, problem: String)? {
        var scanner = YAMLMarkup(text)
        return scanner.find()
    }

    private mutating func find() -> (line: Int, problem: String)? {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                canBegin = canBegin || flowDepth == 0 || !isPlain
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            case UInt8(ascii: "#") where isAfterSpace:
                while index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") { index += 1 }
            case _ where canBegin:
                if let problem = begin(byte) { return (line, problem) }
            default: goOn(byte)
            }
            index += 1
        }
        return nil
    }

    /// At a byte that a token can begin with.
    private mutating func begin(_ byte: UInt8) -> String? {
        isPlain = false
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "*"): return Self.aliasProblem
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return Self.blockProblem
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            guard skipQuoted(by: byte) else { return Self.quoteProblem }
            canBegin = false
        case UInt8(ascii: "-") where bytes[index...].starts(with: "---".utf8): index += 2
        // Between brackets, ? and : are marks whatever follows them.
        case UInt8(ascii: "?") where flowDepth > 0, UInt8(ascii: ":") where flowDepth > 0: break
        case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
            canBegin = isBeforeSpace
            isPlain = !isBeforeSpace
        case UInt8(ascii: "!"):
            while !isBeforeSpace { index += 1 }
        case UInt8(ascii: "["), UInt8(ascii: "{"): flowDepth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            flowDepth = max(0, flowDepth - 1)
            canBegin = false
        case UInt8(ascii: ",") where flowDepth > 0: break
        default:
            canBegin = false
            isPlain = true
        }
        return nil
    }

    /// Within a plain text, or behind a token.
    private mutating func goOn(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ":"):
            // Behind what is in quotes or brackets no space is needed.
            canBegin = isBeforeSpace || flowDepth > 0 && (!isPlain || ",?[]{}".utf8.contains(bytes[index + 1]))
        case UInt8(ascii: ",") where flowDepth > 0: canBegin = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard flowDepth > 0 else { return }
            flowDepth += 1
            canBegin = true
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            flowDepth = max(0, flowDepth - 1)
            isPlain = isPlain && flowDepth == 0
        default: break
        }
    }

    private var isAfterSpace: Bool { index == 0 || " \t\n\r".utf8.contains(bytes[index - 1]) }
    private var isBeforeSpace: Bool { index + 1 >= bytes.count || " \t\n\r".utf8.contains(bytes[index + 1]) }

    /// Goes to the closing quote; `false` where the line has none.
    private mutating func skipQuoted(by quote: UInt8) -> Bool {
        while index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") {
            index += 1
            if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                index += 1
            } else if bytes[index] == quote {
                let isDoubled = quote == UInt8(ascii: "'") && index + 1 < bytes.count && bytes[index + 1] == quote
                guard isDoubled else { return true }
                index += 1
            }
        }
        return false
    }
}
