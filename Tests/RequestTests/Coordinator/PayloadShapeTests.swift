import Base
import NotificationModel
import Testing

@testable import RequestCoordinator

@Suite struct PayloadShapeTests {
    private static func shape(_ text: String) throws -> JSONValue { PayloadShape.of(try JSONParser.value(of: text)) }

    @Test func `a shape has the keys, the kinds and the lengths, and no texts`() throws {
        let shape = try Self.shape(
            #"""
            {"aps": {"alert": {"title": "Rosenrot", "body": "Grüße an Anna"}, "badge": 3, "mutable-content": 1,
             "sound": "default", "interruption-level": "time-sensitive"}, "userId": 491701234567, "ok": true,
             "type": "image/jpeg", "ratio": 0.25, "list": ["a", null], "tag": ""}
            """#)
        let expected = try JSONParser.value(
            of: #"""
                {"aps": {"alert": {"title": "xxxxxxxx", "body": "xxxxxxxxxxxxx"}, "badge": 3, "mutable-content": 1,
                 "sound": "default", "interruption-level": "time-sensitive"}, "userId": 100000000000, "ok": true,
                 "type": "image/jpeg", "ratio": 0.5, "list": ["x", null], "tag": ""}
                """#)
        #expect(shape == expected)
    }

    @Test(arguments: [
        ("https://media.example.com/a/b.jpg?token=Distelfink", "https://media.example.com/", ".jpg"),
        ("https://anna:Nachtigall@media.example.com:8443/x.mp4#y", "https://media.example.com:8443/", ".mp4"),
        ("HTTP://[::1]:80/Eisvogel", "http://[::1]/", ""),
    ]) func `a URL keeps its host and the kind of its file`(_ url: String, _ start: String, _ end: String) {
        let shape = PayloadShape.text(like: url)
        #expect(shape.hasPrefix(start) && shape.hasSuffix(end), "\(shape)")
        for secret in ["Distelfink", "Nachtigall", "Eisvogel", "anna", "token", "/a/"] {
            #expect(!shape.contains(secret), "\(shape)")
        }
        #expect(shape == PayloadShape.text(like: url))
        #expect(shape != PayloadShape.text(like: url + "1"))
    }

    @Test(arguments: [
        "see https://media.example.com/a", "https://", "https://a b/c", "ftp://media.example.com/a",
        "javascript:alert(1)", "https://ex\u{0}ample/",
    ]) func `a text that is no URL of a media item becomes the letter x`(_ text: String) {
        #expect(Set(PayloadShape.text(like: text)) == ["x"])
    }

    @Test func `a key that may be data becomes a digest`() throws {
        let shape = try Self.shape(#"{"anna@example.com": 1, "491701234567": 2, "Anna Meier": 3, "media_url2": 4}"#)
        let keys = try #require(shape.object).keys
        #expect(keys.filter { $0.hasPrefix("key-") }.count == 3)
        #expect(keys.last == "media_url2")
    }

    @Test func `the size of a shape is bounded`() throws {
        let long = String(repeating: "a", count: PayloadShape.maxText * 4)
        let wide = Array(repeating: #""\#(long)""#, count: PayloadShape.maxValues * 2).joined(separator: ",")
        let shape = JSONWriter.bytes(of: try Self.shape("[[\(wide)], [\(wide)]]"))
        #expect(shape.count < PayloadShape.maxValues * (PayloadShape.maxText + 10))
    }
}
