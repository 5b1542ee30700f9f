import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.1.
struct VarySelectionTests {
    @Test(
        arguments: [
            (["Accept"], [("Accept", "image/*")], [("Accept", "image/*")], true),
            (["Accept"], [("Accept", "image/*")], [("Accept", "text/*")], false),
            (["accept"], [("ACCEPT", "image/*")], [("Accept", "image/*")], true),
            (["Accept"], [], [], true), (["Accept"], [], [("Accept", "a")], false),
            (["Accept"], [("Accept", "a")], [], false), (["Accept"], [("Accept", "")], [], false),
            (["Accept"], [("Accept", "a,b")], [("Accept", " a ,  b")], true),
            (["Accept"], [("Accept", "a, b")], [("Accept", "a"), ("Accept", "b")], true),
            (["Accept"], [("Accept", "a, b")], [("Accept", "b, a")], false),
            (["X"], [("X", "\"a, b\"")], [("X", "\"a,b\"")], false),
            (["A, B"], [("A", "1"), ("B", "2")], [("B", "2"), ("A", "1"), ("C", "3")], true),
            (["A", "B"], [("A", "1"), ("B", "2")], [("A", "1"), ("B", "3")], false),
            (["A", ""], [("A", "1")], [("A", "1")], true),
            (["*"], [], [], false), (["A, *"], [("A", "1")], [("A", "1")], false), (["a b"], [], [], false),
            (["Accept-Language"], [("Accept-Language", "en, de")], [("Accept-Language", "DE,En")], true),
            (["Accept-Language"], [("Accept-Language", "en;q=0.5")], [("Accept-Language", "en ; q=0.5")], true),
            (["Accept-Language"], [("Accept-Language", "en, de")], [("Accept-Language", "en, de;q=0.5")], false),
            (["Cookie"], [("Cookie", "a=b; c=d")], [("Cookie", "a=b"), ("Cookie", "c=d")], true),
        ] as [([String], [(String, String)], [(String, String)], Bool)])
    func `a stored response matches a request with the same Vary fields`(
        vary: [String], then: [(String, String)], now: [(String, String)], matches: Bool
    ) {
        var head = ResponseHead(status: 200, fields: CacheBench.fields(vary.map { ("Vary", $0) }))
        head.fields[.eTag] = "\"a\""
        var stored = CacheBench.stored([])
        stored.head = head
        stored.requestFields = VarySelection.selecting(CacheBench.fields(then), for: head)
        #expect(VarySelection.matches(stored, CacheBench.fields(now)) == matches)
    }

    @Test func `only the fields in Vary are stored with a response`() {
        let head = ResponseHead(status: 200, fields: CacheBench.fields([("Vary", "Accept")]))
        let fields = CacheBench.fields([("Authorization", "secret"), ("Accept", "a"), ("Accept", "b")])
        #expect(VarySelection.selecting(fields, for: head).map(\.value) == ["a", "b"])
    }
}
