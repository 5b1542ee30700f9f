/// The memory that the values of a text take when they are parsed, estimated before that.
package enum JSONFootprint {
    /// Bytes for each comma, colon, opening bracket and string. `{"ab":1,"ac":2,…}` takes up to 176 bytes a member: the
    /// member twice, while its array grows, and its place in the table of keys.
    private static let bytesEach = 64

    /// Returns the bytes that a text and its values take at most, about.
    ///
    /// - Parameter text: JSON, or any other bytes.
    package static func estimate(of text: ArraySlice<UInt8>) -> Int {
        var marks = 0
        var (isInString, isEscaped) = (false, false)
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                marks += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
            default: break
            }
        }
        return text.count + marks * bytesEach
    }
}
