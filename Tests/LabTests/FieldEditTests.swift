import Lab
import Testing

struct FieldEditTests {
    @Test(
        arguments: [
            ("Cache-Control:max-age=60", .set(name: "Cache-Control", value: "max-age=60")),
            (
                "Cache-Control: max-age=60, stale-if-error=9 ",
                .set(name: "Cache-Control", value: "max-age=60, stale-if-error=9")
            ),
            ("Date:Sun, 06 Nov 1994 08:49:37 GMT", .set(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT")),
            ("X:", .set(name: "X", value: "")), ("X:ü", .set(name: "X", value: "ü")),
            ("+Set-Cookie:a=b", .add(name: "Set-Cookie", value: "a=b")), ("-ETag", .remove(name: "ETag")),
            ("!#$%&'*+-.^_`|~09azAZ:x", .set(name: "!#$%&'*+-.^_`|~09azAZ", value: "x")),
        ] as [(String, FieldEdit)])
    func `a header edit is read as a name and a value`(text: String, edit: FieldEdit) {
        #expect(FieldEdit(text) == edit)
    }

    @Test(arguments: [
        "", "X", ":x", "+X", "+:x", "-", "-X:y", "X Y:z", "X :y", "(:x", "é:x", "X:a\r\nY:b", "X:a\n", "X:\u{0}",
        "X:\u{7F}", "X\r\n:a",
    ])
    func `a malformed header edit is refused`(text: String) {
        #expect(FieldEdit(text) == nil)
    }
}
