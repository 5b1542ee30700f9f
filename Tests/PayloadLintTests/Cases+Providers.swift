extension RuleCase {
    static let providers = [
        RuleCase(
            "native-medium",
            [
                (native(#"{"url": "https://a.b/c.png"}, {"URL": "x"}"#), "/media/1"),
                (native(#"{"url": 7}"#), "/media/0/url"),
            ],
            spares: [native(#"{"url": "https://a.b/c.png"}"#), aps(rich, #""media": [7]"#)]),
        RuleCase(
            "native-role", [(native(#"{"url": "https://a.b/c.png", "role": "attachement"}"#), "/media/0/role")],
            spares: [native(#"{"url": "https://a.b/c.png", "role": "action-icon"}"#)]),
        RuleCase(
            "native-options",
            [
                (options(#"{"thumbnailTime": -1}"#), "/media/0/options/thumbnailTime"),
                (options(#"{"thumbnailHiden": true}"#), "/media/0/options/thumbnailHiden"),
                (options(#"{"thumbnailHidden": "yes"}"#), "/media/0/options/thumbnailHidden"),
                (
                    options(#"{"thumbnailClippingRect": {"x": 0, "y": 0, "width": 2, "height": 1}}"#),
                    "/media/0/options/thumbnailClippingRect"
                ),
                (
                    options(#"{"thumbnailClippingRect": {"x": 0.5, "y": 0, "width": 0, "height": 1}}"#),
                    "/media/0/options/thumbnailClippingRect"
                ),
                (
                    options(#"{"thumbnailClippingRect": {"x": 0, "y": 1, "width": 1, "height": 1}}"#),
                    "/media/0/options/thumbnailClippingRect"
                ),
                (options("7"), "/media/0/options"),
            ],
            spares: [
                options(
                    #"{"thumbnailTime": 0, "thumbnailHidden": 1, "thumbnailClippingRect": {"x": 0, "y": 0, "width": 1, "height": 1}}"#
                )
            ]),
        RuleCase(
            "2mee-fallback",
            [(twoMee(#""stage": "alert""#), "/appear2mee"), (twoMee(#""fbText": """#), "/appear2mee/fbText")],
            spares: [
                twoMee(#""fbText": "x""#),
                #"{"aps": {"content-available": 1}, "appear2mee": {"stage": "prefetch", "urls": ["https://a.b/c.png"]}}"#,
            ]),
        RuleCase(
            "2mee-cancelled",
            [(#"{"type": "TEXT", "appId": "a", "text": "x", "fbText": "y", "state": "CANCELLED"}"#, "/state")],
            spares: [
                #"{"type": "TEXT", "appId": "a", "text": "x", "fbText": "y", "state": "NEW"}"#,
                twoMee(#""state": "CANCELLED", "fbText": "x""#),
            ]),
        RuleCase(
            "2mee-time",
            [
                (twoMee(#""playTime": "soon", "expiry": 10"#), "/appear2mee/playTime"),
                (twoMee(#""playTime": 4102444800000, "expiry": -1"#), "/appear2mee/expiry"),
                (twoMee(#""playTime": 4102444800, "expiry": 10"#), "/appear2mee/playTime"),
            ],
            spares: [
                twoMee(#""playTime": 4102444800000, "expiry": 10"#), twoMee(#""playTime": null"#),
                twoMee(#""playTime": "4102444800000", "expiry": "10""#),
            ]),
        RuleCase(
            "2mee-kind-file",
            [(twoMee(#""kind": "video""#), "/appear2mee/urls/0")],
            spares: [twoMee(#""kind": "image""#), twoMee(#""kind": "animation""#)]),
        RuleCase(
            "2mee-text",
            [(twoMee(#""fbText": 5"#), "/appear2mee/fbText"), (twoMee(#""action": ["Play"]"#), "/appear2mee/action")],
            spares: [twoMee(#""fbText": """#), twoMee(#""fbTitle": null"#)]),
        RuleCase(
            "2mee-time-missing",
            [(twoMee(#""playTime": 4102444800000"#), "/appear2mee"), (twoMee(#""fbText": "x""#), "/appear2mee")],
            spares: [twoMee(#""playTime": 4102444800000, "expiry": 10"#)]),
        RuleCase(
            "2mee-id-missing", [(#"{"appear2mee": {"urls": [], "id": ""}}"#, "/appear2mee")],
            spares: [twoMee(#""fbText": "x""#)]),
        RuleCase(
            "2mee-urls",
            [
                (#"{"appear2mee": {"id": "1", "urls": "https://a.b/c.png"}}"#, "/appear2mee/urls"),
                (#"{"appear2mee": {"id": "1", "urls": ["https://a.b/c.png", {"url": "x"}]}}"#, "/appear2mee/urls/1"),
            ],
            spares: [
                twoMee(#""fbText": "x""#), #"{"appear2mee": {"id": "1"}}"#, #"{"fbText": "x", "url": null}"#,
            ]),
        RuleCase(
            "2mee-message-missing",
            [
                (#"{"appear2mee": {"kind": "video", "urls": []}}"#, "/appear2mee/urls"),
                (#"{"appear2mee": {"kind": "FACE"}}"#, "/appear2mee"),
                (#"{"fbText": "x", "type": "HOLOPUSH", "url": null}"#, ""),
            ],
            spares: [
                twoMee(#""kind": "video""#), #"{"appear2mee": {"kind": "text"}}"#, #"{"appear2mee": {"urls": []}}"#,
                #"{"appear2mee": {"kind": "video", "urls": "https://a.b/c.mp4"}}"#,
            ]),
        RuleCase(
            "2mee-key",
            [
                (twoMee(#""stgae": "alert""#), "/appear2mee/stgae"), (twoMee(#""Kind": "face""#), "/appear2mee/Kind"),
                (twoMee(#""playtime": 1"#), "/appear2mee/playtime"),
                (#"{"fbText": "x", "url": "https://a.b/c.png", "knid": "image"}"#, "/knid"),
            ],
            spares: [
                twoMee(#""stage": "alert", "stages": 7"#), twoMee(#""page": "x""#),
                #"{"fbText": "x", "url": "https://a.b/c.png", "actoin": "x"}"#,
            ]),
        RuleCase(
            "2mee-stage",
            [
                (twoMee(#""stage": "prefech""#), "/appear2mee/stage"), (twoMee(#""stage": 7"#), "/appear2mee/stage"),
                (#"{"fbText": "x", "url": "https://a.b/c.png", "stage": "later"}"#, "/stage"),
            ],
            spares: [twoMee(#""stage": "ALERT""#), twoMee(#""stage": null"#), twoMee(#""fbText": "x""#)]),
        RuleCase(
            "2mee-kind",
            [
                (twoMee(#""kind": "hologram""#), "/appear2mee/kind"),
                (twoMee(#""kind": ["face"]"#), "/appear2mee/kind"),
                (#"{"fbText": "x", "url": "https://a.b/c.png", "type": "TXET"}"#, "/type"),
            ],
            spares: [
                twoMee(#""kind": "Video""#), twoMee(#""kind": null"#), twoMee(#""fbText": "x""#),
                #"{"fbText": "x", "url": "https://a.b/c.png", "type": "HOLOCAPSULE"}"#,
            ]),
        RuleCase(
            "2mee-prefetch-alert", [(twoMee(#""stage": "Prefetch""#), "/appear2mee/stage")],
            spares: [
                twoMee(#""stage": "alert""#),
                #"{"aps": {"content-available": 1}, "appear2mee": {"stage": "prefetch", "urls": ["https://a.b/c.png"]}}"#,
            ]),
        RuleCase(
            "2mee-unreadable",
            [
                (aps(rich, #""appear2mee": ["x"]"#), "/appear2mee"), (aps(rich, #""appear2mee": 7"#), "/appear2mee"),
                (aps(rich, #""appear2mee": "x""#), "/appear2mee"),
            ],
            spares: [
                aps(rich, #""appear2mee": "{}""#), aps(rich, #""appear2mee": null"#), twoMee(#""fbText": "x""#),
            ]),
        RuleCase(
            "2mee-unrecognised",
            [
                (aps(rich, #""url": "https://a.b/c.png", "kind": "image""#), "/kind"),
                (aps(rich, #""urls": "https://a.b/c.png", "kind": "image""#), "/kind"),
                (aps(rich, #""type": "HOLOPUSH", "text": "x""#), "/type"),
            ],
            spares: [
                aps(rich, #""url": "https://a.b/c.png", "expiry": 5"#), #"{"type": "TEXT", "text": "x"}"#,
                aps(rich, #""url": "https://a.b/c.png", "kind": "car""#), aps(rich, #""kind": "image""#),
                aps(rich, #""url": "https://a.b/c.png", "kind": "image", "expiry": 5"#),
            ]),
        RuleCase(
            "2mee-text-missing",
            [
                (#"{"appear2mee": {"urls": ["https://a.b/c.png"]}}"#, "/appear2mee"),
                (#"{"aps": {}, "appear2mee": {"fbText": "x"}}"#, "/appear2mee"),
                (#"{"aps": {}, "fbText": "x", "url": "https://a.b/c.png"}"#, ""),
            ],
            spares: [
                twoMee(#""fbText": "x""#), #"{"appear2mee": {"stage": "prefetch"}}"#,
                #"{"aps": {"alert": {"loc-key": "K"}}, "appear2mee": {}}"#,
            ]),
        RuleCase(
            "2mee-keys",
            [
                (twoMee(#""keys": "page""#), "/appear2mee/keys"),
                (twoMee(#""keys": [["page", "x"], 7]"#), "/appear2mee/keys/1"),
            ],
            spares: [twoMee(#""keys": {"page": "x"}"#), twoMee(#""keys": [["page", "x"]]"#)]),
        RuleCase(
            "2mee-presentation",
            [
                (twoMee(#""presentation": {"dismissTime": 1e308}"#), "/appear2mee/presentation/dismissTime"),
                (twoMee(#""presentation": {"headPositon": "center"}"#), "/appear2mee/presentation/headPositon"),
                (twoMee(#""presentation": {"dismissTime": "5"}"#), "/appear2mee/presentation/dismissTime"),
                (twoMee(#""presentation": {"headPosition": "left"}"#), "/appear2mee/presentation/headPosition"),
                (twoMee(#""presentation": 7"#), "/appear2mee/presentation"),
            ],
            spares: [
                twoMee(##""presentation": {"headPosition": "Center", "backgroundColor": "#ABCDEF"}"##),
                twoMee(#""presentation": {"dismissTime": -1, "backgroundImage": "sky.png"}"#),
                twoMee(#""presentation": null"#),
                #"{"aps": {"content-available": 1}, "appear2mee": {"presentation": 7}}"#,
            ]),
        RuleCase(
            "sendios-null-image",
            [(aps(rich, #""data": {"push_id": "1", "image_url": "null"}"#), "/data/image_url")],
            spares: [aps(rich, #""data": {"push_id": "1", "image_url": null}"#)]),
        RuleCase(
            "sendios-bare-name",
            [
                (aps(rich, #""data": {"push_id": "1", "image_url": "Launch"}"#), "/data/image_url"),
                (aps(rich, #""push_id": "1", "image_url": "Launch""#), "/image_url"),
            ],
            spares: [
                aps(rich, #""data": {"push_id": "1", "image_url": "https://a.b/c.png"}"#),
                aps(rich, #""data": {"push_id": "1", "image_url": ""}"#),
            ]),
        RuleCase(
            "sendios-route",
            [
                (sendios(#""route": "chats", "from_user_id": "8""#), "/data/route"),
                (sendios(#""route": 7"#), "/data/route"),
                (
                    #"{"message": {"topic": "t", "data": {"push_id": "1", "route": "welcome"}}}"#,
                    "/message/data/route"
                ),
                (#"{"id": "a", "payload": {"data": {"push_id": "1", "route": "x"}}}"#, "/payload/data/route"),
            ],
            spares: [
                sendios(#""route": "welcome-package""#), sendios(#""route": null"#), sendios(#""route": "null""#),
                sendios(#""type": "x""#), aps(rich, #""route": "x""#),
            ]),
        RuleCase(
            "sendios-from-user",
            [
                (sendios(#""route": "chat""#), "/data"),
                (sendios(#""route": "profile", "from_user_id": null"#), "/data/from_user_id"),
                (sendios(#""route": "search", "from_user_id": "8""#), "/data/from_user_id"),
            ],
            spares: [
                sendios(#""route": "chat", "from_user_id": "8""#), sendios(#""route": "me", "from_user_id": null"#),
                sendios(#""from_user_id": "8""#), sendios(#""route": "x", "from_user_id": "8""#),
            ]),
        RuleCase(
            "sendios-badge",
            [
                (#"{"data": {"push_id": "1"}, "notification": {"badge": "many"}}"#, "/notification/badge"),
                (#"{"data": {"push_id": "1"}, "notification": {"badge": 1.5}}"#, "/notification/badge"),
                (#"{"data": {"push_id": "1"}, "notification": {"badge": -2}}"#, "/notification/badge"),
                (#"{"data": {"push_id": "1", "badge": "-2"}}"#, "/data/badge"),
            ],
            spares: [
                #"{"data": {"push_id": "1"}, "notification": {"badge": "3"}}"#,
                #"{"data": {"push_id": "1"}, "notification": {"badge": 3}}"#,
                #"{"data": {"push_id": "1"}, "notification": {"badge": null}}"#,
                #"{"notification": {"badge": "many", "devices": []}}"#,
            ]),
        RuleCase(
            "sendios-text-missing",
            [
                (#"{"data": {"push_id": "1", "image_url": "https://a.b/c.png"}}"#, ""),
                (#"{"data": {"push_id": "1"}, "notification": {"title": 5}}"#, "/notification"),
            ],
            spares: [
                sendios(#""route": "me""#), #"{"data": {"push_id": "1"}, "notification": {"title": "x"}}"#,
                #"{"message": {"data": {"push_id": "1"}, "android": {"notification": {"body": "x"}}}}"#,
            ]),
        RuleCase(
            "comapi-text-missing",
            [
                (#"{"parts": [{"type": "image/png", "url": "https://a.b/c"}]}"#, ""),
                (
                    #"{"eventId": "e", "name": "conversationMessage.sent", "payload": {"parts": [{"type": "x", "data": "y"}]}}"#,
                    "/payload"
                ),
            ],
            spares: [
                #"{"parts": [{"type": "text/plain", "data": "x"}]}"#,
                #"{"parts": [{"type": "image/png", "url": "https://a.b/c"}], "alert": {"platforms": {"fcm": {"notification": {"body": "x"}}}}}"#,
                #"{"eventId": "e", "name": "profile.update", "payload": {}}"#,
            ]),
        RuleCase(
            "comapi-part-type",
            [
                (#"{"parts": [{"data": "x"}]}"#, "/parts/0"),
                (#"{"payload": {"parts": [{"url": "https://a.b/c"}]}, "name": "e"}"#, "/payload/parts/0"),
            ],
            spares: [#"{"parts": [{"data": "x", "type": "text/plain"}]}"#]),
        RuleCase(
            "comapi-event-name",
            [
                (#"{"eventId": "e", "name": "conversationMessage.reads", "payload": {}}"#, "/name"),
                (#"{"apiSpaceId": "s", "name": "Profile.update", "payload": {"parts": []}}"#, "/name"),
                (#"{"eventId": "e", "name": "conversationMessage.reads"}"#, "/name"),
                (
                    #"{"eventId": "e", "name": "conversationMessage.readd", "payload": {"parts": [{"type": "text/plain", "data": "x"}]}}"#,
                    "/name"
                ),
            ],
            spares: [
                #"{"eventId": "e", "name": "conversationMessage.read", "payload": {}}"#,
                #"{"eventId": "e", "name": "socket.info", "payload": {}}"#,
                aps(rich, #""name": "profile.updates""#),
            ]),
        RuleCase(
            "nothing-shown", [(#"{"to": "x", "data": {"foo": "bar"}}"#, ""), (#"{"notifee": {}}"#, "")],
            spares: [aps(rich), #"{"to": "x", "data": {"title": "x", "body": "y"}}"#]),
        RuleCase(
            "matrix-tweaks",
            [
                (
                    #"{"notification": {"devices": [{"tweaks": {}}, {"tweaks": {"highlight": true}}]}}"#,
                    "/notification/devices/1/tweaks"
                )
            ],
            spares: [
                #"{"notification": {"devices": [{"tweaks": {"sound": "a"}}, {"tweaks": {"sound": "a"}}]}}"#,
                #"{"notification": {"devices": [{"tweaks": {"highlight": true}}]}}"#,
                #"{"notification": {"devices": [{"tweaks": {"highlight": false}}, {"tweaks": {"sound": null}}]}}"#,
            ]),
        RuleCase(
            "matrix-count",
            [
                (#"{"notification": {"devices": [], "counts": {"unread": 1.5}}}"#, "/notification/counts/unread"),
                (
                    #"{"notification": {"devices": [], "counts": {"missed_calls": -1}}}"#,
                    "/notification/counts/missed_calls"
                ),
                (#"{"notification": {"devices": [], "counts": 7}}"#, "/notification/counts"),
                (#"{"room_id": "!r:e", "event_id": "$e", "unread_count": "many"}"#, "/unread_count"),
            ],
            spares: [
                #"{"notification": {"devices": [], "counts": {"unread": "2", "missed_calls": null}}}"#,
                #"{"room_id": "!r:e", "event_id": "$e", "unread_count": 0}"#, #"{"title": "x", "counts": 7}"#,
            ]),
        RuleCase(
            "matrix-mxc",
            [
                (matrix("mxc://example.org"), "/notification/content/url"),
                (matrix("mxc://a b/c"), "/notification/content/url"),
            ],
            spares: [matrix("mxc://example.org/AbC"), matrix("https://example.org/x.png")]),
        RuleCase(
            "airship-crop",
            [
                (
                    airship(#""options": {"crop": {"x": 0, "y": 0, "width": 1}}"#),
                    "/com.urbanairship.media_attachment/options/crop"
                ),
                (
                    airship(#""options": {"crop": {"x": 0, "y": 0, "width": 1, "height": 1.2}}"#),
                    "/com.urbanairship.media_attachment/options/crop"
                ),
            ],
            spares: [
                airship(#""options": {"crop": {"x": 0, "y": 0, "width": 1, "height": 1}}"#),
                airship(#""options": {"time": 1}"#),
            ]),
        RuleCase(
            "airship-empty-urls", [(airship(#""urls": []"#), "/com.urbanairship.media_attachment/urls")],
            spares: [airship(#""urls": [{"url": "https://a.b/c.png"}]"#), airship(#""content": {}"#)]),
        RuleCase(
            "airship-thumbnail",
            [
                (
                    airship(#""urls": [{"url": "https://a.b/c.png", "url_id": "a"}], "thumbnail_id": "b""#),
                    "/com.urbanairship.media_attachment/thumbnail_id"
                )
            ],
            spares: [airship(#""urls": [{"url": "https://a.b/c.png", "url_id": "a"}], "thumbnail_id": "a""#)]),
        RuleCase(
            "braze-type-missing",
            [
                (aps(rich, #""ab": {"att": {"url": "https://a.b/c.png"}}"#), "/ab/att/url"),
                (aps(rich, #""ab": {"att": {"type": "png"}}"#), "/ab/att/type"),
                (
                    #"{"messages": {"apple_push": {"alert": "x", "asset_url": "https://a.b/c.png"}}}"#,
                    "/messages/apple_push/asset_url"
                ),
            ],
            spares: [
                aps(rich, #""ab": {"att": {"url": "https://a.b/c.png", "type": "png"}}"#),
                aps(rich, #""ab": {"c": "x"}"#),
            ]),
        RuleCase(
            "braze-type", [(aps(rich, #""ab": {"att": {"url": "https://a.b/c", "type": "jpeg"}}"#), "/ab/att/type")],
            spares: [aps(rich, #""ab": {"att": {"url": "https://a.b/c", "type": "jpg"}}"#)]),
        RuleCase(
            "clevertap-type-missing", [(aps(rich, #""ct_mediaUrl": "https://a.b/c.png""#), "/ct_mediaUrl")],
            spares: [
                aps(rich, #""ct_mediaUrl": "https://a.b/c.png", "ct_mediaType": "image""#),
                aps(rich, #""wzrk_id": "x""#),
            ]),
        RuleCase(
            "fcm-data-value",
            [
                (fcm(#""data": {"a": "1", "b": 2}"#), "/message/data/b"), (fcm(#""data": "x""#), "/message/data"),
                (fcm(#""android": {"data": {"a": null}}"#), "/message/android/data/a"),
            ],
            spares: [fcm(#""data": {"a": "1"}"#)]),
        RuleCase(
            "fcm-reserved-key",
            [
                (fcm(#""data": {"from": "1"}"#), "/message/data/from"),
                (fcm(#""data": {"google.x": "1"}"#), "/message/data/google.x"),
            ],
            spares: [fcm(#""data": {"From": "1", "googlex": "1", "gcm": "1"}"#)]),
        RuleCase(
            "fcm-target",
            [(#"{"message": {"notification": {"title": "x"}}}"#, "/message"), (fcm(#""token": "x""#), "/message")],
            spares: [fcm(#""data": {}"#)]),
        RuleCase(
            "fcm-options-place",
            [
                (
                    fcm(
                        #""apns": {"payload": {"aps": {"alert": "x"}, "fcm_options": {"image": "https://a.b/c.png"}}}"#),
                    "/message/apns/payload/fcm_options"
                ),
                (
                    fcm(
                        #""apns": {"payload": {"aps": {"alert": "x", "fcm_options": {"image": "https://a.b/c.png"}}}}"#),
                    "/message/apns/payload/aps/fcm_options"
                ),
                (fcm(#""fcm_options": {"image": "https://a.b/c.png"}"#), "/message/fcm_options"),
                (fcm(#""android": {"fcm_options": {"image": "https://a.b/c"}}"#), "/message/android/fcm_options"),
            ],
            spares: [
                fcm(#""apns": {"fcm_options": {"image": "https://a.b/c.png"}, "payload": {"aps": {"alert": "x"}}}"#),
                fcm(#""fcm_options": {"analytics_label": "a"}"#),
                #"{"aps": {"alert": "x"}, "fcm_options": {"image": "https://a.b/c.png"}}"#,
            ]),
        RuleCase(
            "fcm-unknown-key",
            [
                (fcm(#""priority": "high""#), "/message/priority"),
                (fcm(#""notification": {"title": "x", "imageUrl": "y"}"#), "/message/notification/imageUrl"),
                (fcm(#""apns": {"fcm_option": {}}"#), "/message/apns/fcm_option"),
            ],
            spares: [
                fcm(#""notification": {"title": "x", "image": "https://a.b/c.png"}, "data": {"priority": "high"}"#),
                fcm(#""apns": {"payload": {"aps": {"alert": "x"}, "priority": "high"}}"#),
            ]),
        RuleCase(
            "webpush-action",
            [
                (#"{"title": "x", "actions": [{"action": "a"}, {"action": "b", "title": "B"}]}"#, "/actions/0"),
                (
                    fcm(#""webpush": {"notification": {"actions": [{"title": "A"}]}}"#),
                    "/message/webpush/notification/actions/0"
                ),
            ],
            spares: [#"{"title": "x", "actions": [{"action": "b", "title": "B"}]}"#, aps(rich, #""actions": [{}]"#)]),
        RuleCase(
            "webpush-navigate",
            [
                (#"{"web_push": 8030, "notification": {"title": "x"}}"#, "/notification"),
                (
                    #"{"web_push": 8030, "notification": {"title": "x", "navigate": "https://a.b", "actions": [{"action": "a", "title": "b"}]}}"#,
                    "/notification/actions/0"
                ),
            ],
            spares: [
                #"{"web_push": 8030, "notification": {"title": "x", "navigate": "https://a.b"}}"#,
                #"{"title": "x", "icon": "https://a.b/c.png"}"#,
            ]),
        RuleCase(
            "ntfy-priority", [(ntfy(#""priority": 6"#), "/priority"), (ntfy(#""priority": "high""#), "/priority")],
            spares: [ntfy(#""priority": 5"#), ntfy(#""priority": "5""#), aps(rich, #""priority": 9"#)]),
        RuleCase(
            "fcm-data-json",
            [
                (#"{"message": {"topic": "t", "data": {"notifee": "{\"title\": \"x"}}}"#, "/message/data/notifee"),
                (#"{"message": {"topic": "t", "data": {"custom": "{'i': 'x'}"}}}"#, "/message/data/custom"),
                (#"{"to": "t", "data": {"content": "{\"channelKey\": "}}"#, "/data/content"),
                (#"{"payload": {"message": {"topic": "t", "data": {"o": "[{"}}}}"#, "/payload/message/data/o"),
            ],
            spares: [
                #"{"message": {"topic": "t", "data": {"notifee": "{\"title\": \"x\"}"}}}"#,
                #"{"message": {"topic": "t", "data": {"content": "{name} says hi"}}}"#,
                #"{"message": {"topic": "t", "apns": {"payload": {"aps": {"alert": "x"}, "custom": "{\""}}}}"#,
                aps(rich, #""custom": "{\"""#),
            ]),
        RuleCase(
            "embedded-json",
            [
                (aps(rich, #""itbl": "{cut""#), "/itbl"), (aps(rich, #""pt_id": "x", "pt_json": "{""#), "/pt_json"),
                (aps(rich, #""com.batch": "{]""#), "/com.batch"),
                (#"{"mp_message": "x", "mp_buttons": "[{"}"#, "/mp_buttons"),
                (#"{"APNS": "{\"aps\": {\"alert\": \"x\"}}", "GCM": "{"}"#, "/GCM"),
            ],
            spares: [
                aps(rich, #""itbl": "{}""#), aps(rich, #""u": "{cut""#), aps(rich, #""com.batch": {}"#),
                aps(rich, #""GCM": "{""#),
            ]),
    ]

    private static func native(_ media: String) -> String {
        // The program recognises its own format by a media item with a URL.
        #"{"title": "x", "media": [\#(media)]}"#
    }

    private static func options(_ options: String) -> String {
        native(#"{"url": "https://a.b/c.png", "options": \#(options)}"#)
    }

    private static func twoMee(_ members: String) -> String {
        aps(rich, #""appear2mee": {"id": "1", "urls": ["https://a.b/c.png"], \#(members)}"#)
    }

    private static func sendios(_ members: String) -> String {
        aps(rich, #""data": {"push_id": "1", \#(members)}"#)
    }

    private static func matrix(_ url: String) -> String {
        #"{"notification": {"devices": [{"app_id": "a"}], "content": {"body": "x", "url": "\#(url)"}}}"#
    }

    private static func airship(_ members: String) -> String {
        aps(rich, #""com.urbanairship.media_attachment": {"url": "https://a.b/c.png", \#(members)}"#)
    }

    private static func fcm(_ members: String) -> String { #"{"message": {"topic": "t", \#(members)}}"# }
}
