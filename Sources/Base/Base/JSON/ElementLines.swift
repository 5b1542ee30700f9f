/// The line numbers at which the elements of an array begin.
enum ElementLines {
    /// Returns the line number of each element.
    ///
    /// - Parameter text: An array that a parser has accepted, with or without white space before it.
    /// - Parameter line: The line number of the first byte.
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
