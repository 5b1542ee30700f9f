import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct NativeDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        NativeDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test func `media keep their order, their identifiers and their roles`() throws {
        let payload = try read(
            """
            {"media":[{"url":"a","id":"x","role":"thumbnail"},{"url":"b","id":7},{"url":"c","id":"","role":"icon"},
             {"url":"d","role":"badge"},{"url":"e","role":"action-icon"},{"url":"f","role":"poster"}]}
            """)
        #expect(payload.media.map(\.url) == ["a", "b", "c", "d", "e", "f"])
        #expect(payload.media.map(\.identifier) == ["x", "7", nil, nil, nil, nil])
        #expect(payload.media.map(\.role) == [.thumbnail, .attachment, .icon, .badge, .actionIcon, .attachment])
    }

    @Test(arguments: [
        (#"{"x":0.1,"y":0,"width":0.8,"height":1}"#, true), (#"{"x":0,"y":0,"width":0,"height":0}"#, true),
        (#"{"x":0.1,"y":0,"width":0.8}"#, false), (#"{"x":0.1,"y":0,"width":1.01,"height":1}"#, false),
        (#"{"x":-0.1,"y":0,"width":0.8,"height":1}"#, false), (#"{"x":"0","y":0,"width":0.8,"height":1}"#, false),
        (#"{"x":1e400,"y":0,"width":0.8,"height":1}"#, false), ("[0,0,1,1]", false), ("7", false), ("{}", false),
    ])
    func `a clipping rectangle is read only if all its sides are from 0 to 1`(rect: String, isTaken: Bool) throws {
        let media = try read(#"{"media":[{"url":"a","options":{"thumbnailClippingRect":\#(rect)}}]}"#).media
        #expect((media.first?.options.thumbnailClippingRect != nil) == isTaken)
    }

    @Test func `the sides of a clipping rectangle are read by name, in any order of the keys`() throws {
        let rect = #"{"height":0.4,"width":0.3,"y":0.2,"x":0.1}"#
        let media = try read(#"{"media":[{"url":"a","options":{"thumbnailClippingRect":\#(rect)}}]}"#).media
        #expect(media.first?.options.thumbnailClippingRect == .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
    }

    @Test(
        arguments: [
            ("2.5", 2.5), ("0", 0), ("-0.1", nil), ("\"2\"", nil), ("1e400", nil), ("null", nil),
        ] as [(String, Double?)])
    func `a negative thumbnail time is ignored`(time: String, expected: Double?) throws {
        let media = try read(#"{"media":[{"url":"a","options":{"thumbnailTime":\#(time)}}]}"#).media
        #expect(media.first?.options.thumbnailTime == expected)
    }

    @Test func `the text next to the media takes precedence over the alert`() throws {
        let media = #""media":[{"url":"a"}]"#
        #expect(try read(#"{\#(media),"title":"T","aps":{"alert":"x"}}"#).successText.title == "T")
        #expect(try read(#"{\#(media),"aps":{"alert":"x"}}"#).successText == NotificationText(body: "x"))
        #expect(try read(#"{\#(media),"badge":3,"aps":{"badge":1}}"#).aps.badge == 3)
        #expect(try read(#"{\#(media),"badge":"3","aps":{"badge":1}}"#).aps.badge == 1)
    }

    @Test func `missing lines of the payload's text are read from the alert`() throws {
        let payload = try #require(
            try JSONParser.value(
                of: #"{"title":"Own","aps":{"alert":{"title":"Alert","body":"Body"}},"media":[{"url":"x"}]}"#
            ).object)
        let text = DialectTable.standard.read(payload).successText
        #expect(text == NotificationText(title: "Own", body: "Body"))
    }
}
