import HTTPCaching
import Testing

struct RandomUUIDTests {
    @Test func `a random UUID has the form of version 4 in lower case`() throws {
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<100 {
            let text = RandomUUID.text()
            #expect(text.wholeMatch(of: form) != nil, "\(text)")
        }
    }

    @Test func `random UUIDs differ`() { #expect(Set((0..<1_000).map { _ in RandomUUID.text() }).count == 1_000) }
}
