/// An ID3 tag before a sound (id3.org, "ID3 tag version 2.4.0", 3.1).
package enum ID3Tag {
    /// Returns the number of bytes of the tag at the beginning of a file, with its header and its footer; `nil` if none
    /// exists.
    package static func byteCount(of head: Span<UInt8>) -> Int? {
        guard head.spells("ID3", at: 0), let flags = head.byte(at: 5), head.count >= 10 else { return nil }
        var length = 0
        for place in 6..<10 {
            guard head[place] < 0x80 else { return nil }
            length = length << 7 | Int(head[place])
        }
        return 10 + length + (flags & 0x10 == 0 ? 0 : 10)
    }
}
