extension RuleCase {
    static let keys = [
        RuleCase(
            "misspelt-key",
            [
                (aps(alert + #", "mutableContent": 1"#), "/aps/mutableContent"),
                (aps(alert + #", "content_available": 1"#), "/aps/content_available"),
                (aps(alert + #", "Badge": 1"#), "/aps/Badge"),
                (aps(#""alert": {"titel": "x", "body": "y"}"#), "/aps/alert/titel"),
                (aps(alert + #", "sound": {"name": "x", "volum": 1}"#), "/aps/sound/volum"),
                (
                    #"{"message": {"topic": "t", "apns": {"payload": {"aps": {"alert": "x", "threadId": "y"}}}}}"#,
                    "/message/apns/payload/aps/threadId"
                ),
            ],
            spares: [aps(rich + #", "badge": 1, "thread-id": "x""#), aps(alert, #""mutableText": 1"#)]),
        RuleCase(
            "misplaced-key",
            [
                (aps(#""alert": {"body": "y", "category": "x"}"#), "/aps/alert/category"),
                (aps(#""alert": {"body": "y", "badge": 1}"#), "/aps/alert/badge"),
                (aps(#""alert": "x", "title": "y""#), "/aps/title"),
                (aps(alert, #""mutable-content": 1"#), "/mutable-content"),
                (aps(alert, #""thread-id": "x""#), "/thread-id"),
                (aps(alert, #""mutableContent": 1"#), "/mutableContent"),
                (aps(alert, #""interruption_level": "passive""#), "/interruption_level"),
                (aps(#""alert": "x", "volume": 1"#), "/aps/volume"),
            ],
            spares: [
                aps(rich), aps(rich, #""mutable-content": 1"#), aps(rich, #""mutableContent": 1"#),
                aps(alert, #""mutableText": 1"#),
                aps(#""event": "update", "timestamp": 1, "content-state": {}, "alert": {"body": "y", "sound": "x"}"#),
            ]),
        RuleCase(
            "maybe-misplaced-key",
            [(aps(alert, #""badge": 3"#), "/badge"), (aps(alert, #""category": "x""#), "/category")],
            spares: [
                aps(alert + #", "badge": 2"#, #""badge": 3"#), aps(alert, #""colour": "x""#),
                #"{"aps": {"alert": "x"}, "media": [{"url": "https://a.b/c.png"}], "badge": 3}"#,
            ]),
        RuleCase(
            "unknown-key",
            [
                (aps(alert + #", "deeplink": "x""#), "/aps/deeplink"),
                (aps(#""alert": {"body": "x", "colour": "red"}"#), "/aps/alert/colour"),
            ],
            spares: [aps(rich, #""deeplink": "x""#), aps(alert + #", "filter-criteria": "x""#)]),
    ]

    static let values = [
        RuleCase(
            "wrong-type",
            [
                (#"{"aps": "x"}"#, "/aps"), (aps(#""alert": 7"#), "/aps/alert"),
                (#"{"interests": ["a"], "apns": {"aps": {"alert": 7}}}"#, "/apns/aps/alert"),
                (#"{"APNS": "{\"aps\": {\"alert\": 7}}"}"#, "/APNS/aps/alert"),
                (aps(alert + #", "sound": 1"#), "/aps/sound"),
                (aps(alert + #", "category": 7"#), "/aps/category"),
                (aps(alert + #", "thread-id": []"#), "/aps/thread-id"),
                (aps(#""alert": {"title": 7, "body": "x"}"#), "/aps/alert/title"),
                (aps(alert + #", "sound": {"name": 1}"#), "/aps/sound/name"),
            ],
            spares: [
                aps(#""alert": "x", "sound": null"#), aps(alert + #", "sound": {"name": "x"}, "category": "7""#),
                aps(
                    #""event": "update", "timestamp": 1, "content-state": {}, "alert": {"title": {"loc-key": "a"}, "body": "x"}"#
                ),
            ]),
        RuleCase(
            "flag-not-1",
            [
                (aps(alert + #", "mutable-content": true"#), "/aps/mutable-content"),
                (aps(alert + #", "mutable-content": "1""#), "/aps/mutable-content"),
                (aps(#""content-available": 2"#), "/aps/content-available"),
                (aps(alert + #", "sound": {"name": "x", "critical": "yes"}"#), "/aps/sound/critical"),
            ],
            spares: [
                aps(alert + #", "mutable-content": 1.0, "content-available": 0"#),
                aps(alert + #", "mutable-content": null"#),
            ]),
        RuleCase(
            "badge",
            [
                (aps(#""badge": -1"#), "/aps/badge"), (aps(#""badge": "3""#), "/aps/badge"),
                (aps(#""badge": 1.5"#), "/aps/badge"), (aps(#""badge": 1e99"#), "/aps/badge"),
            ],
            spares: [aps(#""badge": 0"#), aps(#""badge": 3e0"#), aps(#""badge": null"#)]),
        RuleCase(
            "interruption-level",
            [
                (aps(alert + #", "interruption-level": "timeSensitive""#), "/aps/interruption-level"),
                (aps(alert + #", "interruption-level": 2"#), "/aps/interruption-level"),
            ],
            spares: [aps(alert + #", "interruption-level": "time-sensitive""#)]),
        RuleCase(
            "relevance-score",
            [
                (aps(alert + #", "relevance-score": 1.01"#), "/aps/relevance-score"),
                (aps(alert + #", "relevance-score": "0.5""#), "/aps/relevance-score"),
            ],
            spares: [
                aps(alert + #", "relevance-score": 1"#),
                aps(#""event": "update", "timestamp": 1, "content-state": {}, "relevance-score": 90"#),
            ]),
        RuleCase(
            "sound-volume", [(aps(alert + #", "sound": {"name": "x", "volume": 80}"#), "/aps/sound/volume")],
            spares: [aps(alert + #", "sound": {"name": "x", "volume": 0.8}"#)]),
        RuleCase(
            "sound-name", [(aps(alert + #", "sound": {"volume": 0.8}"#), "/aps/sound")],
            spares: [aps(alert + #", "sound": {"name": "x"}"#), aps(alert + #", "sound": "x""#)]),
        RuleCase(
            "critical-sound", [(aps(alert + #", "sound": {"name": "x", "critical": 1}"#), "/aps/sound/critical")],
            spares: [
                aps(alert + #", "sound": {"name": "x", "critical": 1}, "interruption-level": "critical""#),
                aps(alert + #", "sound": {"name": "x", "critical": 0}"#),
            ]),
        RuleCase(
            "loc-args",
            [
                (aps(#""alert": {"loc-key": "k", "loc-args": "x"}"#), "/aps/alert/loc-args"),
                (aps(#""alert": {"title-loc-key": "k", "title-loc-args": ["x", 7]}"#), "/aps/alert/title-loc-args/1"),
            ],
            spares: [aps(#""alert": {"loc-key": "k", "loc-args": ["7"]}"#)]),
        RuleCase(
            "loc-args-without-key", [(aps(#""alert": {"body": "b", "loc-args": ["x"]}"#), "/aps/alert/loc-args")],
            spares: [
                aps(#""alert": {"loc-key": "k", "loc-args": ["x"]}"#), aps(#""alert": {"body": "b", "loc-args": []}"#),
            ]),
        RuleCase(
            "loc-key-without-args", [(aps(#""alert": {"loc-key": "k"}"#), "/aps/alert/loc-key")],
            spares: [aps(#""alert": {"loc-key": "k", "loc-args": []}"#)]),
        RuleCase(
            "live-activity-incomplete",
            [
                (aps(#""event": "update", "content-state": {}"#), "/aps"),
                (aps(#""timestamp": 1, "content-state": {}"#), "/aps"),
                (aps(#""timestamp": 1, "event": "start", "content-state": {}"#), "/aps"),
            ],
            spares: [
                aps(#""timestamp": 1, "event": "update", "content-state": {}"#),
                aps(#""timestamp": 1, "event": "end""#),
                aps(alert),
            ]),
        RuleCase(
            "live-activity-event",
            [(aps(#""timestamp": 1, "event": "updat", "content-state": {}"#), "/aps/event")],
            spares: [aps(#""timestamp": 1, "event": "end""#)]),
        RuleCase(
            "live-activity-media",
            [
                (
                    aps(
                        #""timestamp": 1, "event": "update", "content-state": {}"#, #""image-url": "https://a.b/c.png""#
                    ),
                    "/image-url"
                )
            ],
            spares: [
                aps(#""timestamp": 1, "event": "update", "content-state": {}"#, #""link": "https://a.b/c.png""#),
                aps(rich, #""image-url": "https://a.b/c.png""#),
            ]),
    ]

    static let delivery = [
        RuleCase(
            "mutable-content-missing",
            [
                (aps(alert, #""image": "https://a.b/c.png""#), "/aps"),
                (aps(alert + #", "mutable-content": 0"#, #""image": "https://a.b/c.png""#), "/aps/mutable-content"),
                (
                    #"{"message": {"topic": "t", "notification": {"title": "x", "image": "https://a.b/c.png"}, "apns": {"payload": {"aps": {"sound": "x"}}}}}"#,
                    "/message/apns/payload/aps"
                ),
                (
                    #"{"interests": ["a"], "apns": {"aps": {"alert": "x"}, "image": "https://a.b/c.png"}}"#, "/apns/aps"
                ),
            ],
            spares: [
                image("https://a.b/c.png"), aps(alert),
                #"{"interests": ["a"], "apns": {"aps": {"alert": "x"}}, "fcm": {"notification": {"image": "https://a.b/c.png"}}}"#,
                aps(#""content-available": 1"#, #""image": "https://a.b/c.png""#),
                aps(alert + #", "mutable-content": "1""#, #""image": "https://a.b/c.png""#),
                aps(alert + #", "mutableContent": 1"#, #""image": "https://a.b/c.png""#),
                #"{"media": [{"url": "https://a.b/c.png"}], "title": "x"}"#,
                #"{"message": {"topic": "t", "webpush": {"notification": {"image": "https://a.b/c.png"}}, "apns": {"payload": {"aps": {"sound": "x"}}}}}"#,
            ]),
        RuleCase(
            "no-visible-alert",
            [
                (aps(#""mutable-content": 1"#), "/aps/mutable-content"),
                (aps(#""mutable-content": 1, "alert": """#), "/aps/alert"),
            ],
            spares: [
                aps(rich), aps(#""content-available": 1"#),
                #"{"message": {"topic": "t", "notification": {"title": "x"}, "apns": {"payload": {"aps": {"mutable-content": 1}}}}}"#,
            ]),
        RuleCase(
            "alert-without-text", [(aps(#""alert": {"launch-image": "x"}"#), "/aps/alert")],
            spares: [aps(#""alert": {"title": "x"}"#), aps(#""alert": {"loc-key": "x", "loc-args": []}"#)]),
        RuleCase(
            "background-too", [(aps(rich + #", "content-available": 1"#), "/aps/content-available")],
            spares: [aps(rich), aps(alert + #", "content-available": 1"#)]),
    ]

    static let headers = [
        RuleCase(
            "unknown-header", [(headed(#""apns-priorty": "10""#), "/headers/apns-priorty")],
            spares: [headed(#""apns-priority": "10", "x-trace": "1""#)]),
        RuleCase(
            "push-type", [(headed(#""apns-push-type": "alerts""#), "/headers/apns-push-type")],
            spares: [headed(#""APNS-Push-Type": "alert""#)]),
        RuleCase(
            "push-type-disagrees",
            [
                (headed(#""apns-push-type": "background""#), "/headers/apns-push-type"),
                (headed(#""apns-push-type": "alert""#, aps(#""content-available": 1"#)), "/headers/apns-push-type"),
                (
                    headed(#""apns-push-type": "alert""#, aps(#""event": "end", "timestamp": 1"#)),
                    "/headers/apns-push-type"
                ),
            ],
            spares: [
                headed(#""apns-push-type": "alert""#),
                headed(#""apns-push-type": "background""#, aps(#""content-available": 1"#)),
                headed(#""apns-push-type": "voip""#),
            ]),
        RuleCase(
            "priority", [(headed(#""apns-priority": "7""#), "/headers/apns-priority")],
            spares: [headed(#""apns-priority": 5"#)]),
        RuleCase(
            "background-priority",
            [(headed(#""apns-priority": "10""#, aps(#""content-available": 1"#)), "/headers/apns-priority")],
            spares: [
                headed(#""apns-priority": "10""#), headed(#""apns-priority": "5""#, aps(#""content-available": 1"#)),
            ]),
        RuleCase(
            "collapse-id-too-long",
            [(headed(#""apns-collapse-id": "\#(String(repeating: "x", count: 65))""#), "/headers/apns-collapse-id")],
            spares: [headed(#""apns-collapse-id": "\#(String(repeating: "x", count: 64))""#)]),
        RuleCase(
            "expiration-passed", [(headed(#""apns-expiration": "1769860799""#), "/headers/apns-expiration")],
            spares: [headed(#""apns-expiration": "1769860801""#), headed(#""apns-expiration": 0"#)]),
    ]

    private static func headed(_ headers: String, _ payload: String = aps(alert)) -> String {
        #"{"headers": {\#(headers)}, "payload": \#(payload)}"#
    }
}
