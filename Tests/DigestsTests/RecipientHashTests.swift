import Digests
import Testing

@Suite struct RecipientHashTests {
    @Test func `the digest of a recipient is that of its group and its name`() {
        // printf 'group.default\nanna' | sha256sum | cut -c1-32
        #expect(RecipientHash.text(of: "anna", in: "group.default") == "858e1728ba1411078dc5ab082716d03c")
        #expect(RecipientHash.text(of: "anna", in: "group.x") != RecipientHash.text(of: "anna", in: "group.default"))
    }
}
