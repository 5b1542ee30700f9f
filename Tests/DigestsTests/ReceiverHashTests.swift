import Digests
import Testing

@Suite struct ReceiverHashTests {
    @Test func `the digest of a receiver is that of its group and its name`() {
        // printf 'group.default\nanna' | sha256sum | cut -c1-32
        #expect(ReceiverHash.text(of: "anna", in: "group.default") == "858e1728ba1411078dc5ab082716d03c")
        #expect(ReceiverHash.text(of: "anna", in: "group.x") != ReceiverHash.text(of: "anna", in: "group.default"))
    }
}
