extension RuleCase {
    static let files = [
        RuleCase("not-json", [("{", ""), ("", ""), (#"{"a": 1,}"#, "")], spares: [#"{"a": 1}"#]),
        RuleCase("not-an-object", [("7", ""), ("[]", ""), ("[{}, [{}]]", "/1")], spares: ["{}", "[{}]"]),
        RuleCase(
            "several-objects", [("{}{}", ""), ("{}\n{}\n{}", ""), ("[{}]", ""), ("[{}, {}]", "")],
            spares: ["{}\n", "[]"]),
        RuleCase(
            "not-examined", [(#"{"a": "\#(String(repeating: "x", count: 65_537))"}"#, "")],
            spares: [#"{"a": "\#(String(repeating: "x", count: 65_000))"}"#]),
        RuleCase(
            "duplicate-key",
            [(#"{"a": 1, "b": {"c": 1, "c": 2, "c": 3}}"#, "/b/c"), (#"{"a": 1, "\u0061": 2}"#, "/a")],
            spares: [#"{"a": {"c": 1}, "b": {"c": 2}, "A": 0}"#]),
        RuleCase(
            "payload-too-large",
            [
                (sized(70_000), ""), (#"{"budget": "5s", "payload": \#(sized(70_000))}"#, "/payload"),
                (#"{"message": {"data": {"a": "\#(String(repeating: "x", count: 70_000))"}}}"#, ""),
                (aps(alert, #""long": "\#(String(repeating: "x", count: 4_096))""#), ""),
                (#"{"payload": \#(aps(alert, #""long": "\#(String(repeating: "é", count: 2_048))""#))}"#, "/payload"),
                (#"{"headers": {"apns-push-type": "voip"}, "payload": \#(sized(5_121))}"#, "/payload"),
                (
                    #"{"message": {"topic": "t", "data": {"a": "\#(String(repeating: "x", count: 4_090))"}}}"#,
                    "/message"
                ),
                (#"{"title": "\#(String(repeating: "x", count: 3_960))", "icon": "https://a.b/c.png"}"#, ""),
            ],
            spares: [
                sized(4_096), #"{"headers": {"apns-push-type": "voip"}, "payload": \#(sized(5_120))}"#,
                #"{"media": [{"url": "https://a.b/c.png"}], "title": "\#(String(repeating: "x", count: 5_000))"}"#,
                #"{"message": {"topic": "t", "data": {"a": "\#(String(repeating: "x", count: 4_080))"}}}"#,
                #"{"media": [{"url": "https://a.b/c.png"}], "title": "\#(String(repeating: "x", count: 70_000))"}"#,
            ]),
        RuleCase(
            "payload-too-large-as-written", [(aps(alert, String(repeating: " ", count: 4_096) + #""a": 1"#), "")],
            spares: [aps(alert, String(repeating: " ", count: 3_000) + #""a": 1"#), sized(4_097)]),
        RuleCase("too-many-media", [(media(33), "/media/32/url"), (media(40), "/media/32/url")], spares: [media(32)]),
    ]

    /// Returns a push of exactly this many bytes without white space.
    static func sized(_ count: Int) -> String {
        let frame = #"{"aps":{"alert":"Hi"},"long":""}"#
        return frame.replacing(
            #""long":"""#, with: #""long":"\#(String(repeating: "x", count: count - frame.utf8.count))""#)
    }

    private static func media(_ count: Int) -> String {
        let media = (1...count).map { #"{"url": "https://media.example.net/\#($0).png"}"# }
        return #"{"title": "Hi", "media": [\#(media.joined(separator: ","))]}"#
    }

    static let envelopes = [
        RuleCase(
            "envelope-unknown-key",
            [
                (#"{"budgt": "5s", "payload": {"aps": {}}}"#, "/budgt"),
                (#"{"app_group": "g", "payload": {"aps": {}}}"#, "/app_group"),
                (#"{"appGroup": "g", "note": 1, "payload": {"aps": {}}}"#, "/note"),
            ],
            spares: [
                #"{"budget": "5s", "payload": {"aps": {}}}"#,
                #"{"id": "1", "name": "e", "payload": {"parts": [{"type": "text/plain", "data": "x"}]}}"#,
                #"{"aps": {"alert": "x"}, "budgt": "5s", "payload": {"a": 1}}"#, #"{"budgt": "5s", "payload": "x"}"#,
            ]),
        RuleCase(
            "envelope-without-effect",
            [
                (#"{"keep": true, "payload": {"aps": {"alert": "x"}}}"#, "/keep")
            ],
            spares: [#"{"receipts": null, "priority": 5, "payload": {"aps": {"alert": "x"}}}"#]),
        RuleCase(
            "envelope-fallback-key",
            [
                (#"{"fallback": {"titel": "x"}, "payload": {"aps": {"alert": "x"}}}"#, "/fallback/titel"),
                (#"{"fallback": {"body": "x", "data": {}}, "payload": {"aps": {"alert": "x"}}}"#, "/fallback/data"),
            ],
            spares: [#"{"fallback": {"title": "x", "subtitle": "y", "body": "z"}, "payload": {"aps": {"alert": "x"}}}"#]
        ),
        RuleCase(
            "envelope-payload",
            [
                (#"{"id": "1", "payload": "{\"aps\": {}}"}"#, "/payload"),
                (#"{"budget": "5s", "payload": []}"#, "/payload"),
            ],
            spares: [#"{"id": "1", "payload": {}}"#, #"{"clickUrl": "x", "uniqueKey": "y", "payload": "z"}"#]),
        RuleCase(
            "envelope-value",
            [
                (#"{"budget": 5, "payload": {}}"#, "/budget"), (#"{"dialect": "morse", "payload": {}}"#, "/dialect"),
                (#"{"permissions": {"downlod": true}, "payload": {}}"#, "/permissions/downlod"),
                (#"{"priority": 7, "payload": {}}"#, "/priority"), (#"{"id": "a/b", "payload": {}}"#, "/id"),
                (#"{"labels": ["a", 7], "payload": {}}"#, "/labels"),
            ],
            spares: [
                #"{"budget": "5s", "dialect": "apns", "permissions": {"download": true}, "priority": 10, "payload": {}}"#
            ]),
        RuleCase(
            "deadline-passed", [(#"{"deadline": "2026-01-31T11:59:59Z", "payload": {}}"#, "/deadline")],
            spares: [#"{"deadline": "2026-01-31T12:00:01Z", "payload": {}}"#]),
    ]

    static let detection = [
        RuleCase(
            "unknown-payload",
            [
                ("{}", ""), (#"{"os_dat": {}}"#, "/os_dat"), (#"{"payload": {"hello": 1}}"#, "/payload"),
                (#"{"type": "TEXT", "text": "x"}"#, "/type"), (#"{"titel": "x", "image": "y"}"#, "/titel"),
                (#"{"os_data": "x"}"#, "/os_data"),
            ],
            spares: [aps(alert), #"{"APS": {"alert": "x"}}"#, #"{"aps": "x"}"#, #"{"appear2me0": {}}"#]),
        RuleCase(
            "misspelt-aps",
            [
                (#"{"APS": {"alert": "x"}}"#, "/APS"), (#"{"aps ": {"alert": "x"}}"#, "/aps "),
                (#"{"asp": {"alert": "x"}}"#, "/asp"), (#"{"apns": {"alert": "x"}}"#, "/apns"),
                (#"{"aps": {"alert": "x"}, "Aps": {}}"#, "/Aps"),
            ],
            spares: [aps(alert), #"{"aps": {"alert": "x"}, "asp": "net"}"#, #"{"maps": {"zoom": 3}, "aps": {}}"#]),
        RuleCase(
            "inner-push",
            [
                (aps(rich, #""data": {"os_data": {"att": {"a": "https://a.b/c.png"}}}"#), "/data"),
                (aps(rich, #""custom": {"appear2mee": {"text": "x", "fbText": "y"}}"#), "/custom"),
                (aps(rich, #""extra": "{\"room_id\": \"!r\", \"event_id\": \"$e\"}""#), "/extra"),
            ],
            spares: [
                aps(rich, #""data": {"title": "a", "image": "b"}"#), aps(rich, #""data": {"id": "7"}, "custom": []"#),
                #"{"data": {"appear2mee": {"text": "x", "fbText": "y"}}}"#,
            ]),
        RuleCase(
            "unread-key",
            [
                (aps(rich, #""imageurl": "https://a.b/c.png""#), "/imageurl"),
                (aps(rich, #""os_dta": {"i": "1"}"#), "/os_dta"),
                (aps(rich, #""rich-meda": "https://a.b/c.png""#), "/rich-meda"),
                (aps(rich, #""os_data": {"i": "1"}, "att": {"a": "https://a.b/c.png"}"#), "/att"),
                (#"{"payload": \#(aps(rich, #""imge": "https://a.b/c.png""#)), "budget": "2s"}"#, "/payload/imge"),
                (#"{"message": {"notification": {"tilte": "Hi", "body": "There"}}}"#, "/message/notification/tilte"),
                (#"{"custom": "{\"i\": \"1\", \"uu\": 1}", "alret": "Hi", "title": "There"}"#, "/alret"),
            ],
            spares: [
                aps(rich, #""image": "https://a.b/c.png", "imageUrl": "https://a.b/c.png""#),
                aps(rich, #""imagine": 1"#), aps(rich, #""photos": "3 new""#),
                aps(rich, #""age": "12", "page": "plan""#),
                aps(rich, #""titles": ["a"], "data": {"bodyweight": "70", "images": 3}"#),
                aps(rich, #""ids": "7", "_id": "x", "user": {"name": "Ana"}"#),
            ]),
        RuleCase(
            "unread-type",
            [
                (aps(rich, #""image": 7"#), "/image"), (aps(rich, #""os_data": "text""#), "/os_data"),
                (aps(rich, #""os_data": {"i": "1", "att": ["https://a.b/c.png"]}"#), "/os_data/att"),
                (aps(rich, #""rich-media": {"url": "https://a.b/c.png"}"#), "/rich-media"),
                (#"{"message": {"notification": {"title": 7, "body": "There"}}}"#, "/message/notification/title"),
            ],
            spares: [
                aps(rich, #""image": "https://a.b/c.png""#),
                aps(alert, #""data": "text", "id": 7, "priority": "high""#),
                aps(rich, #""image": null"#),
                aps(rich, #""media": "https://a.b/c.png", "attachments": 2"#),
            ]),
    ]
}
