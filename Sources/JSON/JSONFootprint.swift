/// The memory that the values of a text take when they are parsed, estimated before that.
package enum JSONFootprint {
    /// Bytes for each comma, colon and opening bracket, and for each two quotation marks. `{"ab":1,"ac":2,…}` takes up to
    /// 176 bytes a member: the member twice, while its array grows, and its place in the table of keys.
    private static let bytesEach = 64

    /// Returns the bytes that a text and its values take at most, about. Strings may have JSON in them, which is parsed
    /// too, so their texts count.
    ///
    /// - Parameter text: JSON, or any other bytes.
    package static func estimate(of text: ArraySlice<UInt8>) -> Int {
        var (marks, quotes) = (0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): quotes += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
            default: break
            }
        }
        return text.count + (marks + quotes / 2) * bytesEach
    }
}
