import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct OneSignalDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        OneSignalDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"os_data":{}}"#, "os_data"), (#"{"os_data":{},"custom":{"i":"x"},"att":{}}"#, "os_data"),
            (#"{"custom":{"i":"x"},"att":{"a":"u"}}"#, "custom.i+att"),
            (#"{"custom":{"i":7},"att":7}"#, "custom.i+att"),
            (#"{"custom":{"i":"x"},"at":{"a":"u"}}"#, "custom.i+at"), (#"{"custom":{"i":"x"},"m":"b"}"#, "custom.i+m"),
            (#"{"m":"b","at":{"a":"u"}}"#, "m+at"),
            (#"{"os_data":7}"#, nil), (#"{"os_data":"{}"}"#, nil), (#"{"custom":{"i":"x"}}"#, nil),
            (#"{"att":{"a":"u"}}"#, nil), (#"{"custom":{"i":""},"att":{"a":"u"}}"#, nil),
            (#"{"custom":"i","att":{"a":"u"}}"#, nil), (#"{"custom":{"a":{}},"att":{"a":"u"}}"#, nil),
            (#"{"m":"b"}"#, nil), (#"{"at":{"a":"u"}}"#, nil), (#"{"m":"b","at":"u"}"#, nil), (#"{"aps":{}}"#, nil),
        ] as [(String, String?)])
    func `a OneSignal payload is recognised by the keys of any of its forms`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(OneSignalDialect().detect(object) == rule)
    }

    @Test(arguments: [
        (#"{"os_data":{"att":{"b":"u1","a":"u2"}}}"#, ["os_data", "att"]),
        (#"{"os_data":{"buttons":{"m":"x","at":{"b":"u1","a":"u2"}}}}"#, ["os_data", "buttons", "at"]),
        (#"{"custom":{"i":"x"},"att":{"b":"u1","a":"u2"}}"#, ["att"]),
        (#"{"custom":{"i":"x"},"m":"x","at":{"b":"u1","a":"u2"}}"#, ["at"]),
    ])
    func `the keys of the attachments are their identifiers, in the payload's order`(text: String, place: [String])
        throws
    {
        let place = place.map { JSONPath.Step.key($0) }
        #expect(
            try read(text).media == [
                MediaReference(url: "u1", path: JSONPath(place + [.key("b")]), identifier: "b"),
                MediaReference(url: "u2", path: JSONPath(place + [.key("a")]), identifier: "a"),
            ])
    }

    @Test(
        arguments: [
            ("https://a.example/get?id=88&filename=roast.mp4", "ext:mp4"),
            ("https://a.example/get?filename=a%2Eb.PNG&id=1", "ext:png"),
            ("https://a.example/x.jpg?filename=y.gif", "ext:gif"),
            ("https://a.example/x.jpg", nil), ("https://a.example/?filename=", nil),
            ("https://a.example/?filename=roast", nil), ("https://a.example/?filename=roast.", nil),
            ("https://a.example/?filename=roast.a%20b", nil), ("https://a.example/?file=roast.mp4", nil),
            ("https://a.example/?filename", nil), ("https://a.example/#?filename=a.mp4", nil), ("filename=a.mp4", nil),
            ("http://[?filename=a.mp4", nil),
        ] as [(String, String?)])
    func `the file name in the query of the URL declares the type`(url: String, expected: String?) throws {
        let payload = OneSignalDialect().read(JSONNode(["os_data": ["att": ["a": .string(url)]]]))
        #expect(payload.media.map(\.url) == [url])
        #expect(payload.media.first?.declaredType?.description == expected)
    }

    @Test(arguments: [
        #"{"os_data":{"i":"id","u":"app://1","ti":"t1","a":{"k":"v"}}}"#,
        #"{"custom":{"i":"id","u":"app://1","ti":"t1"},"att":{}}"#,
    ])
    func `the dialect reads the ID, the link and the template of a OneSignal message`(text: String) throws {
        let payload = try read(text)
        #expect(payload.providerID == "id")
        #expect(payload.details == ["link": "app://1", "templateId": "t1"])
    }

    @Test func `the app's own data in the older form is read at custom.a`() throws {
        #expect(try read(#"{"custom":{"i":"id","a":{"k":7}},"att":{}}"#).details == ["data": ["k": 7]])
    }

    @Test(arguments: [
        #"{"os_data":{"buttons":[{"i":"save","n":"Save"},{"i":"no"},{"n":""},7,{"n":"Skip"}]}}"#,
        #"{"os_data":{"buttons":{"o":[{"i":"save","n":"Save"},{"n":7},{"n":"Skip"}]}}}"#,
        #"{"os_data":{},"actionbuttons":[{"i":"save","n":"Save"},{"n":"Skip"}]}"#,
        #"{"custom":{"i":"x"},"att":{},"buttons":[{"i":"save","n":"Save"},{"n":"Skip"}]}"#,
        #"{"custom":{"i":"x"},"m":"b","o":[{"i":"save","n":"Save"},{"n":"Skip"}]}"#,
    ])
    func `buttons are read as actions, and a button without an ID has its text as the ID`(text: String) throws {
        #expect(
            try read(text).actions == [
                NotificationAction(identifier: "save", title: "Save"),
                NotificationAction(identifier: "Skip", title: "Skip"),
            ])
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1},"custom":{"i":"x"},"m":{"title":"T","body":"B"},"b":3,"s":"a.caf"}"#,
        #"{"aps":{"content-available":1},"os_data":{"buttons":{"m":{"title":"T","body":"B"},"b":3,"s":"a.caf"}}}"#,
    ])
    func `a minified push has its own text, and is not silent`(text: String) throws {
        let payload = try read(text)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(!payload.isSilent)
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.sound == NotificationSound(name: "a.caf"))
        #expect(!payload.aps.hasVisibleAlert, "a phone runs no extension for it")
    }

    @Test func `an alert takes precedence over the minified text`() throws {
        let payload = try read(#"{"aps":{"alert":"A","badge":1},"custom":{"i":"x"},"m":"B","b":3,"at":{"a":"u"}}"#)
        #expect(payload.successText == NotificationText(body: "A"))
        #expect(payload.aps.badge == 1)
        #expect(payload.media.map(\.url) == ["u"])
    }

    @Test func `Apple's badge and sound take precedence over the minified badge and sound`() throws {
        let aps = try read(#"{"aps":{"badge":1,"sound":"b.caf"},"custom":{"i":"x"},"m":"B","b":3,"s":"a.caf"}"#).aps
        #expect(aps.badge == 1)
        #expect(aps.sound == NotificationSound(name: "b.caf"))
    }

    @Test func `a background push without a text is silent`() throws {
        #expect(try read(#"{"aps":{"content-available":1},"os_data":{"att":{"a":"u"}}}"#).isSilent)
    }

    @Test(
        arguments: [
            (#"{"os_data":{"att":7,"i":{},"u":7,"buttons":7}}"#, []), (#"{"os_data":{"att":"u"}}"#, []),
            (#"{"os_data":{"att":["u"]}}"#, []), (#"{"os_data":{"att":null}}"#, []),
            (#"{"os_data":{"att":{"a":7,"b":null,"c":["u"],"d":{"url":"u"},"e":"","f":"v"}}}"#, ["v"]),
            (#"{"os_data":{"att":{"a":"u","a":"v"}}}"#, ["v"]),
            (#"{"os_data":{"att":{"a":"u"}},"os_data":{"att":{"a":"v"}}}"#, ["v"]),
            (#"{"custom":7,"att":{"a":"u"}}"#, ["u"]), (#"{"custom":{"i":"x"},"att":7,"m":7,"at":7}"#, []),
            (#"{"os_data":{"buttons":{"at":"u","o":7,"m":[]}}}"#, []),
        ] as [(String, [String])])
    func `a value of a wrong type counts as missing`(text: String, urls: [String]) throws {
        let payload = try read(text)
        #expect(payload.media.map(\.url) == urls)
        #expect(payload.actions == [])
        #expect(payload.successText.isEmpty)
        #expect(payload.details.isEmpty)
    }
}
