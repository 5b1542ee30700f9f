import Base
import NotificationModel
import Testing

@Suite struct KeyPathTextTests {
    @Test(
        arguments: [
            ("a", [.key("a")]), ("a.b", [.key("a"), .key("b")]), ("a[]", [.key("a"), .everyElement]),
            ("a[].url", [.key("a"), .everyElement, .key("url")]),
            ("a[0][12].b", [.key("a"), .element(0), .element(12), .key("b")]),
            (#"com\.vendor.media[].url"#, [.key("com.vendor"), .key("media"), .everyElement, .key("url")]),
            (#"a\[\]\\\=b"#, [.key(#"a[]\=b"#)]), ("media-url", [.key("media-url")]),
            ("a b.c", [.key("a b"), .key("c")]), (#"\ a\ "#, [.key(" a ")]), ("aé.😀", [.key("aé"), .key("😀")]),
        ] as [(String, [KeyPathText.Step])])
    func `a path does not change when it is read and written again`(text: String, steps: [KeyPathText.Step]) throws {
        let path = try KeyPathText(text)
        #expect(path.steps == steps)
        #expect(path.description == text)
    }

    @Test func `an unnecessary backslash is not written`() throws {
        #expect(try KeyPathText(#"a\ b"#).description == "a b")
        #expect(try KeyPathText("a[007]").description == "a[7]")
        #expect(KeyPathText(keys: "com.vendor", " a").description == #"com\.vendor.\ a"#)
    }

    @Test(arguments: [
        ("", 1, "the key path is empty"), ("[].a", 1, "a path begins with a key, because a payload is an object"),
        (".a", 1, "a key is missing"), ("a.", 3, "a key is missing"), ("a..b", 3, "a key is missing"),
        ("a.[]", 3, "a key is missing"), ("a[]b", 4, "a dot is missing before the next key"),
        ("a[", 3, "a ] is missing"), ("a[1", 4, "a ] is missing"),
        ("a[x]", 3, "brackets are empty, for every element, or have the number of an element, from 0"),
        ("a[-1]", 3, "brackets are empty, for every element, or have the number of an element, from 0"),
        ("a[1.b", 4, "brackets are empty, for every element, or have the number of an element, from 0"),
        ("a[99999999999999999999]", 3, "the number of the element is too large"),
        ("a]", 2, "a ] has no [ before it; write \\] if it belongs to a key"),
        ("a=b", 2, "write \\= if = belongs to a key"), (#"a\"#, 3, "the path ends after a backslash"),
        (#"a\n"#, 3, #"a backslash must be before one of . [ ] \ = or a space; write \\ for the backslash itself"#),
        (" a", 1, "write a backslash before a space at the start or the end of a key"),
        ("a .b", 2, "write a backslash before a space at the start or the end of a key"),
        ("é. b", 3, "write a backslash before a space at the start or the end of a key"),
    ])
    func `an error in a path is reported with its position`(text: String, position: Int, problem: String) {
        let error = #expect(throws: KeyPathError.self) { _ = try KeyPathText(text) }
        #expect(error?.position == position)
        #expect(error?.problem == problem)
        #expect(error?.description == "\"\(text)\", character \(position): \(problem)")
    }

    @Test func `a dot before a combining character still separates two keys`() throws {
        #expect(try KeyPathText("a.\u{301}b").steps == [.key("a"), .key("\u{301}b")])
    }

    private static let payload = #"""
        {"a":{"url":"1"},"list":[{"url":"2","sub":["x","y"]},7,{"sub":["z"]},{"url":null}],"com.vendor":{"n":3}}
        """#

    @Test(
        arguments: [
            ("a.url", ["/a/url"]), ("list[].url", ["/list/0/url", "/list/3/url"]),
            ("list[2].sub[0]", ["/list/2/sub/0"]),
            ("list[].sub[]", ["/list/0/sub/0", "/list/0/sub/1", "/list/2/sub/0"]),
            (#"com\.vendor.n"#, ["/com.vendor/n"]), ("com.vendor.n", []), ("list.url", []), ("list[9]", []),
            ("a[]", []), ("a[0]", []), ("b", []), ("list[1].url", []),
        ] as [(String, [String])])
    func `a path matches existing values, in the order of the payload`(text: String, places: [String]) throws {
        let payload = JSONNode(try JSONParser.value(of: Self.payload))
        #expect(try KeyPathText(text).nodes(in: payload).map(\.path.description) == places)
    }

    @Test(
        arguments: [
            ("list[].sub[]", "list[].url", ["list[0].url", "list[0].url", "list[2].url"]),
            ("list[].sub[]", "list[].sub[].x", ["list[0].sub[0].x", "list[0].sub[1].x", "list[2].sub[0].x"]),
            ("list[].url", "kind", ["kind", "kind"]),
            ("list[0].sub[]", "list[0].sub[].x", ["list[0].sub[0].x", "list[0].sub[1].x"]),
            // The match has no index for the `[]` of another array.
            ("a.url", "list[].url", [nil]), ("list[].sub[]", "types[].of[].x", [nil, nil, nil]),
            ("list[].sub[0]", "list[].of[]", [nil, nil]), ("list[0].sub[]", "list[].sub[].x", [nil, nil]),
        ] as [(String, String, [String?])])
    func `a path relative to a match uses the array indices of the match`(
        text: String, other: String, beside: [String?]
    ) throws {
        let payload = JSONNode(try JSONParser.value(of: Self.payload))
        let path = try KeyPathText(other)
        #expect(try KeyPathText(text).matches(in: payload).map { path.beside($0)?.description } == beside)
    }
}
