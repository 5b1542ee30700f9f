/// An estimate of the memory that the values of a text take, made before the text is parsed.
package enum JSONFootprint {
    /// The bytes that are counted for each comma, colon and opening bracket, and for each pair of quotation marks.
    ///
    /// `{"ab":1,"ac":2,…}` takes up to 176 bytes a member. The member is stored twice while its array grows, and its
    /// key is stored once more in the table of keys.
    private static let bytesEach = 64

    /// Returns an upper estimate of the bytes that a text, which need not be JSON, and its values take. Strings may
    /// contain JSON that is parsed too, so their contents are counted as well.
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
