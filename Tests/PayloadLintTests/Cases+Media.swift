extension RuleCase {
    static let media = [
        RuleCase(
            "media-unread",
            [
                (#"{"aps": {"alert": "x"}, "heroURL": "https://a.example.net/p.jpg"}"#, "/heroURL"),
                (
                    #"{"aps": {"alert": "x"}, "custom": {"bannerPhoto": "https://a.example.net/p"}}"#,
                    "/custom/bannerPhoto"
                ),
                (
                    #"{"aps": {"alert": "x"}, "extra": {"Thumbs": [{"href": "https://a.example.net/p"}]}}"#,
                    "/extra/Thumbs/0/href"
                ),
                (#"{"headline": "x", "hero": "https://a.example.net/clip.mp4?x=1"}"#, "/hero"),
                (#"{"aps": {"alert": "x"}, "coverImage": "/covers/1.png"}"#, "/coverImage"),
                (
                    #"{"moengage": {}, "aps": {"alert": "x"}, "_richMedia": "https://a.example.net/p.gif"}"#,
                    "/_richMedia"
                ),
            ],
            spares: [
                #"{"aps": {"alert": "x"}, "image": "https://a.example.net/p.jpg", "imageCopy": "https://a.example.net/p.jpg"}"#,
                #"{"aps": {"alert": "x"}, "link": "https://a.example.net/", "mediaType": "image", "icon": "bell"}"#,
                #"{"aps": {"content-available": 1}, "prefetch": ["https://a.example.net/p.jpg"]}"#,
                #"{"aps": {"alert": "see https://a.example.net/p.jpg", "sound": "chime.caf"}}"#,
            ]),
        RuleCase(
            "url-space",
            [(image("https://a.b/my cat.png"), "/image"), (image("https://a.b/c.png?t=low tide"), "/image")],
            spares: [image("https://a.b/my%20cat.png"), image("https://a.b/c.png")]),
        RuleCase(
            "url-invisible",
            [
                (image("https://a.b/c.png\u{200B}"), "/image"), (image("\u{FEFF}https://a.b/c.png"), "/image"),
                (image("https://a.b/c\u{AD}at.png"), "/image"), (image("https://a.b/c.png\\n"), "/image"),
                (image("https://a.b/c\u{A0}at.png"), "/image"), (image("https://a.b/\u{202E}c.png"), "/image"),
                (image("https://a.b/c.png\u{2028}"), "/image"), (image("https://a.b/c\u{85}.png"), "/image"),
            ],
            spares: [
                image("https://a.b/c at.png"), image("https://a.b/\u{1F468}\u{200D}\u{1F467}.png"),
                image("https://a.b/\u{2764}\u{FE0F}"), image("https://bücher.de/ä.png"),
            ]),
        RuleCase(
            "url-list",
            [
                (image("https://a.b/c.png,https://a.b/d.png"), "/image"),
                (image("https://a.b/c.png, HTTP://a.b/d.png"), "/image"),
            ],
            spares: [
                image("https://a.b/c.png,d.png"), image("https://a.b/c,http.png"), image("https://a.b/?u=https://c.d/"),
            ]),
        RuleCase(
            "url-html", [(image("https://a.b/c.png?a=1&amp;b=2"), "/image")],
            spares: [image("https://a.b/c.png?a=1&b=2"), image("https://a.b/c.png?amp;=2")]),
        RuleCase(
            "url-unreadable",
            [
                (image("https://a.b/c\\t.png"), "/image"), (image(#"https:\\/\\/a.b\\/c.png"#), "/image"),
                (image("https:///c.png"), "/image"), (image("https://a.b:99999/c.png"), "/image"),
                (image("https://a.b/50%.png"), "/image"), (image("https://a.b/{id}.png"), "/image"),
                (image("https://a,b/c.png"), "/image"), (image("https://[::1/c.png"), "/image"),
                (image("https:a.b/c.png"), "/image"),
            ],
            spares: [
                image("https://a.b/my%20cat.png"), image("https://a.b:8443/c.png?x=1#y"),
                image("https://bücher.de/ä.png"),
                image("https://[2001:db8::1]:443/c.png"), image("c.png"),
            ]),
        RuleCase(
            "url-base",
            [
                (aps(rich, #""attachment": {"url": "/local/door.jpg"}"#), "/attachment/url"),
                (#"{"message": "Hi", "data": {"image": "/local/door.jpg"}}"#, "/data/image"),
            ],
            spares: [
                aps(rich, #""attachment": {"url": "https://a.b/door.jpg"}"#), image("/c.png"),
                aps(rich, #""attachment": {"url": "//a.b/door.jpg"}"#),
            ]),
        RuleCase(
            "url-relative",
            [(image("c.png"), "/image"), (image("//a.b/c.png"), "/image"), (image("/c.png"), "/image")],
            spares: [
                image("https://a.b/c.png"), aps(rich, #""attachment": {"url": "/api/camera", "content-type": "jpeg"}"#),
            ]),
        RuleCase(
            "url-scheme",
            [
                (image("ftp://a.b/c.png"), "/image"),
                (image("mxc://a.b/c"), "/image"),
            ],
            spares: [image("HTTPS://a.b/c.png"), image("c.png"), image("data:image/png;base64,AAAA")]),
        RuleCase(
            "inline-media-broken",
            [
                (image("data:image/png;base64,A$"), "/image"), (image("data:image/png;base64"), "/image"),
                (image("data:image/png;base64,"), "/image"),
                (#"{"parts": [{"type": "image/png", "data": "no Base64!"}]}"#, "/parts/0/data"),
            ],
            spares: [
                image("data:image/png;base64,AAAA"), image("data:image/png,x"), image("https://a.b/c.png"),
                #"{"parts": [{"type": "image/png", "data": "AAAA"}, {"type": "text/plain", "data": "no Base64!"}]}"#,
            ]),
        RuleCase(
            "declared-size",
            [
                (
                    #"{"parts": [{"type": "image/png", "url": "https://a.b/c.png", "size": 40000001}]}"#,
                    "/parts/0/url"
                ),
                (#"{"parts": [{"type": "x/y", "url": "https://a.b/c.png", "size": "50000001"}]}"#, "/parts/0/url"),
            ],
            spares: [
                #"{"parts": [{"type": "image/png", "url": "https://a.b/c.png", "size": 40000000}]}"#,
                #"{"parts": [{"type": "video/mp4", "url": "https://a.b/c.mp4", "size": 40000001}]}"#,
                #"{"parts": [{"type": "video/mp4", "url": "https://a.b/c.mp4"}]}"#,
            ]),
        RuleCase(
            "url-credentials",
            [(image("https://user:pass@a.b/c.png"), "/image"), (image("https://u@a.b/c.png"), "/image")],
            spares: [image("https://a.b/@c.png"), image("https://a.b/c.png?mail=x@y.z")]),
        RuleCase(
            "plain-http", [(image("http://a.b/c.png"), "/image")], spares: [image("https://a.b/http://c.png")]),
        RuleCase(
            "private-host",
            [
                (image("https://localhost/c.png"), "/image"), (image("https://10.1.2.3/c.png"), "/image"),
                (image("https://[::1]/c.png"), "/image"), (image("https://nas.local/c.png"), "/image"),
                (image("https://172.31.0.1/c.png"), "/image"),
            ],
            spares: [
                image("https://172.32.0.1/c.png"), image("https://localhost.example/c.png"),
                image("https://11.0.0.1/c.png"),
            ]),
        RuleCase(
            "repeated-identifier",
            [
                (
                    #"{"media": [{"id": "a", "url": "https://a.b/1.png"}, {"id": "a", "url": "https://a.b/2.png"}]}"#,
                    "/media/1/url"
                )
            ],
            spares: [
                #"{"media": [{"id": "a", "url": "https://a.b/1.png"}, {"id": "A", "url": "https://a.b/2.png"}, {"url": "https://a.b/3.png"}, {"url": "https://a.b/4.png"}]}"#
            ]),
        RuleCase(
            "unknown-media-type",
            [
                (aps(rich, #""rich-media": "https://a.b/c", "rich-media-type": "jpgg""#), "/rich-media"),
                (#"{"media": [{"url": "https://a.b/c", "type": "picture"}]}"#, "/media/0/url"),
            ],
            spares: [
                aps(rich, #""rich-media": "https://a.b/c", "rich-media-type": "jpg""#),
                #"{"media": [{"url": "https://a.b/c", "type": "image/x-new"}]}"#,
            ]),
        RuleCase(
            "declared-type-disagrees",
            [
                (aps(rich, #""rich-media": "https://a.b/c.png", "rich-media-type": "gif""#), "/rich-media"),
                (aps(rich, #""rich-media": "https://a.b/c.mp4""#), "/rich-media"),
                (aps(rich, #""ct_mediaUrl": "https://a.b/c.mp4", "ct_mediaType": "image""#), "/ct_mediaUrl"),
                (#"{"media": [{"url": "https://a.b/c.png?x=.jpg", "type": "image/jpeg"}]}"#, "/media/0/url"),
            ],
            spares: [
                aps(rich, #""rich-media": "https://a.b/c.JPEG?v=2.png", "rich-media-type": "jpg""#),
                aps(rich, #""ct_mediaUrl": "https://a.b/c.png", "ct_mediaType": "image""#),
                aps(rich, #""rich-media": "https://a.b/c.php", "rich-media-type": "jpg""#),
                aps(rich, #""data": {"push_id": "1", "image_url": "https://a.b/c.jpg"}"#),
            ]),
        RuleCase(
            "format-not-shown",
            [
                (image("https://a.b/c.webp"), "/image"), (image("https://a.b/c.MOV"), "/image"),
                (#"{"media": [{"url": "https://a.b/c", "type": "image/heic"}]}"#, "/media/0/url"),
            ],
            spares: [
                image("https://a.b/c.jpg"), image("https://a.b/c"), image("https://a.b/webp"),
                #"{"title": "x", "image": "https://a.b/c.webp"}"#,
                #"{"media": [{"url": "https://a.b/c.webp", "role": "icon"}]}"#,
            ]),
    ]

    static let texts = [
        RuleCase(
            "loc-key-alone",
            [
                (aps(#""alert": {"title": "x", "loc-key": "K"}"#), "/aps/alert/loc-key"),
                (aps(#""alert": {"body": "x", "title-loc-key": "K"}"#), "/aps/alert/title-loc-key"),
                (
                    aps(#""alert": {"body": "x", "subtitle": "", "subtitle-loc-key": "K"}"#),
                    "/aps/alert/subtitle-loc-key"
                ),
            ],
            spares: [
                aps(#""alert": {"body": "x", "loc-key": "K"}"#), aps(#""alert": {"body": "x", "title-loc-key": ""}"#),
                #"{"aps": {"alert": {"loc-key": "K"}}, "room_id": "!r:e", "event_id": "$e"}"#,
                #"{"aps": {"alert": {"loc-key": "K"}}, "parts": [{"type": "text/plain", "data": "x"}]}"#,
            ]),
        RuleCase(
            "broken-text",
            [
                (aps(#""alert": "Caf\uFFFD""#), "/aps/alert"), (aps(#""alert": "\ud83d!""#), "/aps/alert"),
                (aps(#""alert": {"body": "\udc00\ud83d"}"#), "/aps/alert/body"), (aps(alert, #""x": ["a�b"]"#), "/x/0"),
                (aps(#""alert": "\ud83d\ud83d\ude00""#), "/aps/alert"),
            ],
            spares: [aps(#""alert": "Café 😀 \ud83d\ude00 \\ud83d""#)]),
        RuleCase(
            "hidden-characters",
            [
                (aps(#""alert": "   ""#), "/aps/alert"), (aps(#""alert": "a\u200bb""#), "/aps/alert"),
                (aps(#""alert": {"title": "gpj.\u202Etxe", "body": "x"}"#), "/aps/alert/title"),
                (aps(#""alert": "bell\u0007""#), "/aps/alert"),
            ],
            spares: [aps(#""alert": "👩‍👧 می‌خواهم\nline\u200f""#), aps(#""alert": {"title": "", "body": "x"}"#)]),
        RuleCase(
            "unrendered-template",
            [
                (aps(#""alert": "Hi {{ name }}!""#), "/aps/alert"), (aps(#""alert": "Hi ${name}""#), "/aps/alert"),
                (aps(#""alert": {"title": "undefined", "body": "x"}"#), "/aps/alert/title"),
                (aps(#""alert": "[object Object]""#), "/aps/alert"),
            ],
            spares: [aps(#""alert": "Save $5 {now}, }} undefined words {{""#), aps(alert, #""x": "{{name}}""#)]),
        RuleCase(
            "json-text",
            [
                (aps(#""alert": "{\"title\": \"Hi\"}""#), "/aps/alert"),
                (aps(#""alert": {"title": "Hi", "body": "[\"There\"]"}"#), "/aps/alert/body"),
            ],
            spares: [aps(#""alert": "[1] new message""#), aps(#""alert": "{name}""#), aps(#""alert": "5""#)]),
        RuleCase(
            "html-text",
            [
                (aps(#""alert": "Tom &amp; Ana""#), "/aps/alert"),
                (aps(#""alert": {"title": "It&#39;s <b>late</b>", "body": "x"}"#), "/aps/alert/title"),
                (aps(#""alert": {"title": "x", "body": "<b>late</b>"}"#), "/aps/alert/body"),
            ],
            spares: [
                aps(#""alert": "if a <b and b> c""#), aps(#""alert": "Generic List<a>""#),
                aps(#""alert": "Tom & Ana; a < b > c &c;""#), aps(alert, #""html": "<b>x</b>""#),
            ]),
        RuleCase(
            "long-text",
            [
                (aps(#""alert": "\#(String(repeating: "é", count: 179))""#), "/aps/alert"),
                (aps(#""alert": {"title": "\#(String(repeating: "x", count: 51))", "body": "x"}"#), "/aps/alert/title"),
                (
                    aps(
                        rich,
                        #""media": [{"url": "https://a.b/c.png"}], "fallback": {"body": "\#(String(repeating: "x", count: 179))"}"#
                    ),
                    "/fallback/body"
                ),
            ],
            spares: [
                aps(
                    #""alert": {"title": "\#(String(repeating: "x", count: 50))", "body": "\#(String(repeating: "👩‍👧", count: 178))"}"#
                )
            ]),
        RuleCase(
            "message-expired",
            [
                (
                    #"{"appear2mee": {"id": "1", "urls": [], "fbText": "x", "playTime": 1769860000000, "expiry": 10}}"#,
                    "/appear2mee/playTime"
                ),
                (
                    #"{"message": {"data": {"urls": "[]", "fbText": "x", "playTime": "1769860000000", "expiry": "10"}}}"#,
                    "/message/data/playTime"
                ),
            ],
            spares: [
                #"{"appear2mee": {"id": "1", "urls": [], "fbText": "x", "playTime": 1769860000000, "expiry": 20}}"#
            ]),
        RuleCase(
            "medium-gone",
            [
                (
                    ntfy(#""attachment": {"url": "https://a.b/c.jpg", "name": "c", "expires": 1769860799}"#),
                    "/attachment/url"
                )
            ],
            spares: [ntfy(#""attachment": {"url": "https://a.b/c.jpg", "name": "c", "expires": 1769860801}"#)]),
    ]

    static func ntfy(_ members: String) -> String {
        #"{"event": "message", "topic": "t", "message": "x", \#(members)}"#
    }
}
