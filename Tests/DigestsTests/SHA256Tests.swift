import Digests
import Testing

@Suite struct SHA256Tests {
    /// The examples of NIST for FIPS 180-4.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `the digest of an example in the standard equals the digest in the standard`(
        text: String, count: Int, expected: String
    ) {
        let bytes = Array(String(repeating: text, count: count).utf8)
        let digest = SHA256.hash(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(digest == expected)
    }

    @Test func `the digest of bytes in pieces of any size equals the digest of all bytes in one piece`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for size in [1, 63, 64, 65, 299, 300] {
            var hash = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = bytes[start...].prefix(size)
                hash.update(piece.span)
            }
            #expect(hash.finalize() == SHA256.hash(bytes), "pieces of \(size) bytes")
        }
    }
}
