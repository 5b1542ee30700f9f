/// The lines on which the elements of an array begin.
enum ElementLines {
    /// - Parameters:
    ///   - text: an array that a parser has read, also with white space before it.
    ///   - line: of the first byte.
    static func lines(in text: ArraySlice<UInt8>, from line: Int) -> [Int] {
        var (lines, line, depth): ([Int], Int, Int) = ([], line, 0)
        var (isInString, isEscaped, isBeforeElement) = (false, false, false)
        for byte in text {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isBeforeElement, !" \t\r\n".utf8.contains(byte) {
                lines.append(line)
                isBeforeElement = false
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                isBeforeElement = depth == 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): isBeforeElement = depth == 1
            default: break
            }
        }
        return lines
    }
}
