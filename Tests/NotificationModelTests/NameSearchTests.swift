import Testing

@testable import NotificationModel

/// Tests of the search for names in bytes that are not decoded.
@Suite struct NameSearchTests {
    private static let name = "Zoë-1 d\u{2019}Or"

    private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    @Test(arguments: [
        #"{"recipient": "Zoë-1 d’Or"}"#, "Zoë-1 d’Or", "(Zoë-1 d’Or)", "x Zoë-1 d’Or", "Zo\u{65}\u{308}-1 d’Or",
        #"{"a":"Zo\u00eb-1 d\u2019Or"}"#, #"{"a":"Zo\u00EB-1 d\u2019Or"}"#, #"{"a":"Zoe\u0308-1 d’Or"}"#,
        #"{"a":"\nZoë-1 d’Or\t"}"#, #"{"a":"\u005aoë-1\u0020d’Or"}"#, #"{"a":"{\"b\":\"Zo\\u00eb-1 d’Or\"}"}"#,
        "https://a.example/?r=Zo%C3%AB-1%20d%E2%80%99Or&x", "/Zo%c3%ab-1%20d%e2%80%99or/Zo%c3%ab-1%20d%e2%80%99Or",
        "Zoe%CC%88-1%20d%E2%80%99Or", #"{"u":"https:\/\/a.example\/Zo%C3%AB-1%20d%E2%80%99Or"}"#,
        "%20Zo%C3%AB-1%20d%E2%80%99Or%20",
    ])
    func `a name is found in each form`(_ text: String) {
        #expect(NameSearch([Self.name]).finds(in: Array(text.utf8)))
    }

    @Test(arguments: [
        "Zoë-1 d’Ora", "aZoë-1 d’Or", "1Zoë-1 d’Or", "Zoë-1 d’Or2", "éZoë-1 d’Or", "Zoë-1 d’Or\u{301}", "zoë-1 d’or",
        "Zoe-1 d’Or", "Zoë-1  d’Or", "Zoë-1 d’O", "", "\\", "%", "%Z", #"\u"#, #"\u00"#,
        #"{"a":"\u005aoë-1 d’Or\u0061"}"#, "Zo%C3%AB-1%20d%E2%80%99Or%61",
    ])
    func `another word is not found`(_ text: String) {
        #expect(!NameSearch([Self.name]).finds(in: Array(text.utf8)))
    }

    @Test(arguments: [false, true], [0, 1])
    func `a name in UTF-16 is found in both orders and at each offset`(isBigEndian: Bool, offset: Int) {
        func finds(_ text: String) -> Bool {
            let bytes = [UInt8](repeating: 0xFE, count: offset) + Self.utf16(text, isBigEndian: isBigEndian)
            return NameSearch([Self.name]).finds(in: bytes)
        }
        #expect(finds("{\"recipient\":\"Zoë-1 d’Or\"}") && finds("Zoe\u{308}-1 d’Or"))
        #expect(!finds(" Zoë-1 d’Ora") && !finds("aZoë-1 d’Or"))
    }

    @Test func `a name of less than three bytes is not searched`() {
        #expect(!NameSearch(["ab", ""]).finds(in: Array("ab".utf8)))
        #expect(NameSearch(["ab", "abc"]).finds(in: Array("abc".utf8)))
        #expect(NameSearch(["é1"]).finds(in: Array("é1".utf8)))
    }

    @Test func `a name at the border of two parts is within their overlap`() {
        let search = NameSearch([Self.name])
        for form in [#"\u005a\u006f\u00eb\u002d\u0031\u0020\u0064\u2019\u004f\u0072"#, "Zo%C3%AB-1%20d%E2%80%99Or"] {
            #expect(search.overlap > form.utf8.count)
        }
    }

    @Test(arguments: [("x bob|", true, false, false), ("x bob|", true, true, true), ("|bob x", false, true, false)])
    func `a word at the edge of a part is left to the next part`(
        text: String, isFirst: Bool, isLast: Bool, isFound: Bool
    ) {
        let part = Array(text.utf8).filter { $0 != UInt8(ascii: "|") }
        #expect(NameSearch(["bob"]).finds(inPart: part, isFirst: isFirst, isLast: isLast) == isFound)
    }
}
