import Base
import NotificationModel
import NotificationProcessor
import Testing

@Suite struct DetectionTests {
    @Test func `the table tries the dialects in the documented order`() {
        #expect(
            DialectTable.standard.identifiers == [
                "native", "2mee", "sendios", "comapi", "matrix", "onesignal", "airship", "braze", "clevertap",
                "customerio", "moengage", "batch", "webengage", "iterable", "klaviyo", "leanplum", "salesforce",
                "ntfy", "notificare", "homeassistant", "pushwoosh", "expo", "emarsys", "adobe", "mindbox", "swrve",
                "wonderpush",
                "mixpanel", "countly", "optimobile", "bloomreach", "blueshift", "cordial", "pinpoint", "netmera",
                "notifee", "awesome-notifications", "sendbird", "rocketchat", "pushover", "insider", "gorush",
                "pusher-beams", "parse", "sns", "huawei", "fcm-legacy", "fcm", "firebase", "webpush", "apns",
            ])
    }

    @Test(arguments: [
        (#"{"media":[{"url":"u"}]}"#, "native", "media[].url"),
        (#"{"media":[7,{"url":"u"}]}"#, "native", "media[].url"),
        (#"{"appear2mee":{}}"#, "2mee", "appear2mee"), (#"{"fbText":"f","url":"u"}"#, "2mee", "fbText+url"),
        (#"{"fbText":"f","holoPushUrl":"u"}"#, "2mee", "fbText+url"),
        (#"{"aps":{"alert":"x"},"fbText":"f"}"#, "2mee", "fbText+aps"),
        (#"{"aps":{},"fbText":"f","urls":["u"]}"#, "2mee", "fbText+urls"),
        (#"{"fbText":"f","type":"TEXT","text":"t"}"#, "2mee", "fbText+text"),
        (#"{"type":"text","channel":"PUSH","text":"t"}"#, "2mee", "type+channel"),
        (#"{"aps":{},"stage":"PREFETCH","urls":["u"]}"#, "2mee", "stage+urls"),
        (#"{"aps":{},"kind":"Face","urls":["u"],"expiry":5}"#, "2mee", "kind+urls"),
        (#"{"aps":{},"kind":"face","urls":["u"]}"#, "apns", "aps"),
        (#"{"aps":{},"kind":"sedan","stage":"staging","urls":["u"]}"#, "apns", "aps"),
        (#"{"aps":{},"kind":"face","urls":"u"}"#, "apns", "aps"),
        (#"{"aps":{},"type":"TEXT","channel":"PUSH","text":"t"}"#, "apns", "aps"),
        (#"{"aps":{},"url":"https://a/u","stage":"Prefetch"}"#, "2mee", "stage+url"),
        (#"{"aps":{},"url":"https://a/u","STAGE":"alert","expiry":5}"#, "2mee", "stage+url"),
        (#"{"aps":{},"url":"https://a/u","kind":"video","expiry":5}"#, "2mee", "kind+url"),
        (#"{"aps":{},"url":"https://a/u","playTime":5,"expiry":5}"#, "2mee", "playTime+url"),
        (#"{"holoPushUrl":"https://a/u","kind":"face"}"#, "2mee", "kind+holoPushUrl"),
        (#"{"aps":{},"url":"https://a/u","stage":"alert"}"#, "apns", "aps"),
        (#"{"aps":{},"url":"https://a/u","kind":"video"}"#, "apns", "aps"),
        (#"{"aps":{},"url":"https://a/u","playTime":"5","expiry":"5"}"#, "apns", "aps"),
        // The key of the other vendor takes precedence over the keys of 2mee.
        (#"{"aps":{},"url":"https://a/u","kind":"video","expiry":5,"_":"x"}"#, "airship", "_"),
        (#"{"aps":{},"url":"https://a/u","stage":"prefetch","itbl":{}}"#, "iterable", "itbl"),
        (#"{"aps":{},"url":"myapp://r/4","stage":"alert","expiry":5}"#, "apns", "aps"),
        (#"{"aps":{},"image":"u","url":"https://a/u","kind":"video","expiry":5}"#, "apns", "aps"),
        (#"{"aps":{},"kind":"face","urls":["https://a/u"],"id":"m"}"#, "2mee", "kind+urls"),
        (#"{"aps":{},"urls":["https://a/u"],"playTime":5,"expiry":5}"#, "2mee", "playTime+urls"),
        (
            #"{"message":{"data":{"kind":"face","playTime":"5","url":"https://a/u"}}}"#, "2mee",
            "message.data.kind+url"
        ),
        (
            #"{"message":{"apns":{"payload":{"aps":{},"stage":"prefetch","url":"https://a/u"}}}}"#, "2mee",
            "message.apns.payload.stage+url"
        ),
        (
            #"{"message":{"apns":{"payload":{"aps":{},"data":{"push_id":"p"}}}}}"#, "sendios",
            "message.apns.payload.data.push_id"
        ),
        (#"{"aps":{},"appear2mee":"x"}"#, "2mee", "appear2mee"), (#"{"appear2mee":[]}"#, "2mee", "appear2mee"),
        (#"{"message":{"apns":{"payload":{"appear2mee":{}}}}}"#, "2mee", "message.apns.payload.appear2mee"),
        (
            #"{"message":{"apns":{"payload":{"aps":{},"fbText":"f"}}}}"#, "2mee", "message.apns.payload.fbText+aps"
        ),
        (#"{"message":{"data":{"appear2mee":"{}"}}}"#, "2mee", "message.data.appear2mee"),
        (#"{"message":{"data":{"stage":"alert","urls":"[]"}}}"#, "2mee", "message.data.stage+urls"),
        (#"{"message":{"data":{"type":"TEXT","text":"t","channel":"c"}}}"#, "fcm", "message"),
        (#"{"aps":{},"message":{"data":{"appear2mee":"{}"}}}"#, "apns", "aps"),
        (#"{"data":{"push_id":"p","image_url":"u"}}"#, "sendios", "data.push_id+data.image_url"),
        (#"{"data":{"push_id":7,"image_url":"u"}}"#, "sendios", "data.push_id+data.image_url"),
        (#"{"push_id":"p","image_url":"u"}"#, "sendios", "push_id+image_url"),
        (#"{"aps":{}}"#, "apns", "aps"), (#"{"aps":{},"image_url":"u"}"#, "apns", "aps"),
        // Each of these payloads lacks the key by which the dialect in the row above is recognised.
        (#"{"media":[{"url":"u"}],"appear2mee":{},"push_id":"p","image_url":"u","aps":{}}"#, "native", "media[].url"),
        (#"{"appear2mee":{},"push_id":"p","image_url":"u","aps":{}}"#, "2mee", "appear2mee"),
        (#"{"fbText":"f","url":"u","push_id":"p","image_url":"u","aps":{}}"#, "2mee", "fbText+url"),
        (
            #"{"data":{"push_id":"p","image_url":"u"},"push_id":"p","image_url":"u","aps":{}}"#, "sendios",
            "data.push_id+data.image_url"
        ),
        (#"{"push_id":"p","image_url":"u","aps":{}}"#, "sendios", "push_id+image_url"),
        (#"{"media":{"url":"u"},"aps":{}}"#, "apns", "aps"),
    ])
    func `the first dialect that recognises a payload reads the payload and reports its rule`(
        text: String, dialect: String, rule: String
    ) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
        #expect(payload.detectedBy == rule)
    }

    /// The payloads have keys that several vendors use, such as `attachment`, `body` and `image_url`.
    @Test(arguments: [
        (#"{"aps":{},"attachment":{"url":"u"}}"#, "homeassistant"), (#"{"aps":{},"attachment":"u"}"#, "pushwoosh"),
        (#"{"event":"message","topic":"t","attachment":{"url":"u"}}"#, "ntfy"),
        (#"{"aps":{},"attachment_url":"u"}"#, "apns"),
        (#"{"aps":{},"attachment_url":"u","attachment_name":"n"}"#, "ntfy"),
        (#"{"aps":{},"body":{"_richContent":{"image":"u"}}}"#, "expo"), (#"{"aps":{},"body":{"_k":{}}}"#, "klaviyo"),
        (#"{"aps":{},"body":{"_k":{},"_richContent":{"image":"u"}}}"#, "klaviyo"),
        (#"{"aps":{},"image_url":"u"}"#, "apns"), (#"{"aps":{},"image_url":"u","ems":{}}"#, "emarsys"),
        (#"{"aps":{},"image_url":"u","push_id":"p"}"#, "sendios"),
        (#"{"aps":{},"imageUrl":"u","clickUrl":"c","uniqueKey":"k"}"#, "mindbox"),
        (#"{"aps":{},"media-attachment-url":"u"}"#, "adobe"), (#"{"message":{"notification":{}}}"#, "fcm"),
        (#"{"aps":{"alert":"x"},"message":{"sender":"Ana"},"image":"u"}"#, "apns"),
        (#"{"aps":{},"fcm_options":{"image":"u"}}"#, "firebase"),
        (#"{"aps":{},"fcm_options":{"image":"u"},"itbl":{}}"#, "iterable"),
        (#"{"title":"t","image":"u"}"#, "webpush"), (#"{"title":"t","image":"u","aps":{}}"#, "apns"),
        (#"{"notification":{"devices":[]}}"#, "matrix"), (#"{"parts":[{"type":"text/plain"}]}"#, "comapi"),
        (#"{"data":{"push_id":"p","image_url":"u"},"_":"x","ab":{}}"#, "sendios"),
        (#"{"aps":{},"_":"x","ab":{}}"#, "airship"), (#"{"aps":{},"ab":{},"wzrk_id":"w"}"#, "braze"),
    ])
    func `a payload with a shared key is recognised by an additional key of the vendor`(
        text: String, dialect: String
    )
        throws
    {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
        #expect(payload.detectedBy?.isEmpty == false)
    }

    /// The payloads are requests and Android data. Each payload has the keys of its vendor, and keys that other
    /// dialects read.
    @Test(arguments: [
        (#"{"message":{"platforms":["IOS"],"android":{}},"target":{}}"#, "netmera", "message.platforms"),
        (#"{"message":{"title":"t"},"recipients":{}}"#, "batch", "message+recipients"),
        (#"{"message":{"data":{"com.batch":"{}"}}}"#, "batch", "message.data.com.batch"),
        (#"{"topic":"t","title":"t","icon":"i","attach":"u"}"#, "ntfy", "topic+attach"),
        (#"{"topic":"t","title":"t","icon":"i"}"#, "webpush", "title+icon"),
        (#"{"title":"t","image":"u","message":"m","webhook_id":"w"}"#, "homeassistant", "message+webhook_id"),
        (#"{"title":"t","image":"u","message":"m"}"#, "webpush", "title+image"),
        (#"{"title":"t","image":"u","message":"m","data":{"url":"v"}}"#, "webpush", "title+image"),
        (#"{"title":"t","image":"u","message":"m","topic":"t","tags":["a"]}"#, "webpush", "title+image"),
        (#"{"message":"m","data":{"image":"u"},"topic":"t","click":"c"}"#, "ntfy", "topic+click"),
        (#"{"to":"ExponentPushToken[x]","title":"t","badge":1,"data":{}}"#, "expo", "to=ExponentPushToken"),
        (#"{"to":"x","title":"t","badge":1,"data":{}}"#, "fcm-legacy", "to+data"),
        (#"{"to":"x","data":{"push_id":"p"}}"#, "sendios", "data.push_id"),
        (#"{"to":"x","data":{"_sw":"{}"}}"#, "swrve", "data._sw"), (#"{"aps":{},"_sw":{},"_sd":"d"}"#, "swrve", "_sw"),
        (#"{"aps":{},"_sw":{},"_":"x"}"#, "airship", "_"), (#"{"aps":{},"_wp":{}}"#, "wonderpush", "_wp"),
        (#"{"notification":{"alert":{}},"targetUserIds":[]}"#, "wonderpush", "notification.alert{}"),
        (#"{"notification":{"alert":"x"},"audience":"all"}"#, "airship", "audience+notification"),
        (#"{"aps":{},"data":{"pinpoint":{},"media-url":"https://a/u"}}"#, "pinpoint", "data.pinpoint"),
        (#"{"aps":{},"data":{"media-url":"https://a/u"}}"#, "apns", "aps+data.media-url"),
        (#"{"message":{"data":{"pinpoint.url":"u"}}}"#, "pinpoint", "message.data.pinpoint.*"),
        (#"{"aps":{},"source":"Insider","image":"https://a/u"}"#, "insider", "source=Insider"),
        (#"{"aps":{},"source":"insider","image":"https://a/u"}"#, "apns", "aps"),
        (#"{"aps":{},"source":"webengage"}"#, "webengage", "source=webengage"),
        (#"{"api_key":"k","notifications":[{"camp_id":1}]}"#, "insider", "api_key+notifications[]"),
        (#"{"notifications":[{"tokens":[],"platform":1}]}"#, "gorush", "notifications[].platform"),
        (#"{"request":{"notifications":[{}]}}"#, "pushwoosh", "request.notifications[]"),
        (#"{"interests":["a"],"fcm":{}}"#, "pusher-beams", "interests+fcm"),
        (#"{"notification":{"title":"t"},"data":{"pusher":{}}}"#, "pusher-beams", "data.pusher+notification"),
        (#"{"aps":{},"notification":{"title":"t"},"data":{"pusher":{}}}"#, "apns", "aps"),
        (#"{"app_id":"a","contents":{},"data":{}}"#, "onesignal", "app_id+contents"),
        (#"{"message":{"data":{"custom":"{\"i\":\"x\"}"}}}"#, "onesignal", "message.data.custom.i"),
        (#"{"aps":{},"_m":"m","_r":"r","image":"https://a/u"}"#, "salesforce", "_m+_r"),
        (#"{"aps":{},"_m":"m","image":"https://a/u"}"#, "apns", "aps"),
        (
            #"{"message":{"apns":{"payload":{"aps":{},"CIO":{"push":{}}}}}}"#, "customerio",
            "message.apns.payload.CIO.push"
        ),
        (#"{"message":{"apns":{"payload":{"attachment":{}}}}}"#, "homeassistant", "message.apns.payload.attachment{}"),
        (#"{"message":{"data":{"x":"y"}},"to":"x"}"#, "fcm", "message"),
        (#"{"aps":{},"mp_media_url":"https://a/u","image":"https://a/i"}"#, "mixpanel", "mp_media_url"),
        (#"{"aps":{},"mp_media_url":"https://a/u","itbl":{}}"#, "iterable", "itbl"),
        (#"{"c.i":"m","title":"t","message":"m","badge":"1"}"#, "countly", "c.i"),
        (#"{"title":"t","message":"m","badge":"1"}"#, "webpush", "title+badge"),
        (#"{"aps":{},"c":{"a":"https://a/u"}}"#, "apns", "aps"),
        (#"{"aps":{},"custom":{"a":{"k.message":{}}},"image":"https://a/u"}"#, "optimobile", "custom.a.k.message"),
        (#"{"aps":{},"custom":{"i":"x","a":{"k.message":{}}},"att":{}}"#, "onesignal", "custom.i+att"),
        (#"{"source":"xnpe_platform","title":"t","image":"u","actions":"[]"}"#, "bloomreach", "source=xnpe_platform"),
        (#"{"aps":{},"source":"other","image":"https://a/u"}"#, "apns", "aps"),
        (#"{"aps":{},"image_url":"u","bsft_message_uuid":"m"}"#, "blueshift", "bsft_message_uuid"),
        (#"{"aps":{},"image_url":"u","ems":{},"bsft_message_uuid":"m"}"#, "emarsys", "ems"),
        (
            #"{"message":{"data":{"message":"{}","bsft_message_uuid":"m"}}}"#, "blueshift",
            "message.data.bsft_message_uuid"
        ),
        (#"{"aps":{},"imageURL":"https://a/u","mcID":"m"}"#, "cordial", "mcID"),
        (#"{"aps":{},"imageURL":"https://a/u"}"#, "apns", "aps+imageURL"),
        (#"{"default":"d","APNS":"{\"aps\":{},\"itbl\":{}}"}"#, "sns", "APNS"),
        (#"{"message":{"token":["t"],"notification":{}}}"#, "huawei", "message.token[]"),
        (#"{"message":{"token":"t","notification":{}}}"#, "fcm", "message"),
    ])
    func `a provider's own keys take precedence over keys that any sender uses`(
        text: String, dialect: String, rule: String
    ) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
        #expect(payload.detectedBy == rule)
    }

    @Test(arguments: [
        "{}", #"{"aps":7}"#, #"{"aps":null}"#, #"{"asp":{"alert":"x"}}"#, #"{"APS":{"alert":"x"}}"#, #"{"media":[]}"#,
        #"{"media":["u"]}"#, #"{"media":{"url":"u"}}"#, #"{"appear2mee":null}"#, #"{"fbText":"f"}"#, #"{"url":"u"}"#,
        #"{"type":"TEXT"}"#, #"{"url":"u","kind":"sedan","stage":"production","expiry":"soon"}"#,
        #"{"type":7,"channel":"c","text":"t"}"#,
        #"{"push_id":"p"}"#, #"{"data":{"image_url":"u"}}"#, #"{"push_id":"p","data":{"image_url":"u"}}"#,
        #"{"data":{"push_id":{},"image_url":"u"}}"#, #"{"data":[{"push_id":"p","image_url":"u"}]}"#,
    ])
    func `a payload that no dialect recognises is read as empty`(text: String) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        var payload = DialectTable.standard.read(object)
        #expect(payload.problems.map(\.rule) == ["unknown-payload"])
        payload.problems = []
        #expect(payload == PushPayload())
    }

    @Test(
        arguments: [
            (#"{"aps":{},"url":"https://a/u","kind":"video"}"#, "apns", "/kind"),
            (#"{"aps":{},"url":"https://a/u","stage":"prefech"}"#, "apns", "/stage"),
            (#"{"aps":{},"urls":["https://a/u"],"stage":"prefech"}"#, "apns", "/stage"),
            (#"{"aps":{},"urls":"https://a/u","kind":"face"}"#, "apns", "/kind"),
            (#"{"message":{"data":{"kind":"face","url":"https://a/u"}}}"#, "fcm", "/message/data/kind"),
            (#"{"aps":{},"holoPushUrl":"u"}"#, "apns", "/holoPushUrl"),
            (#"{"aps":{},"type":"holopush","text":"t"}"#, "apns", "/type"),
        ])
    func `a payload of another dialect with too few keys of 2mee is reported at one of these keys`(
        text: String, dialect: String, place: String
    ) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
        #expect(payload.problems.map(\.rule) == ["2mee-unrecognised"])
        #expect(payload.problems.map(\.place.description) == [place])
    }

    @Test(arguments: [
        (#"{"url":"https://a/u","playTime":5}"#, "/playTime"), (#"{"type":"TEXT","text":"t"}"#, "/type"),
        (#"{"type":"HOLOPUSH","channel":"PUSH"}"#, "/type"),
    ])
    func `an unknown payload with too few keys of 2mee is reported at one of these keys`(text: String, place: String)
        throws
    {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect == nil)
        #expect(payload.problems.map(\.rule) == ["unknown-payload"])
        #expect(payload.problems.map(\.place.description) == [place])
    }

    /// The payloads are from chats, sign-ins, databases, events and other senders.
    @Test(
        arguments: [
            (#"{"token":"t","user":"ana","message":"hi","room":"r"}"#, nil),
            (#"{"token":"t","user":"","message":"m"}"#, nil),
            (#"{"token":"t","user":"u","message":"m","type":"login"}"#, nil), (#"{"token":"t","user":"u"}"#, nil),
            (#"{"where":{"id":1},"data":{"alert":"x"},"select":{"id":true}}"#, nil),
            (#"{"where":{"id":1},"data":{"alert":true}}"#, nil), (#"{"where":{"id":1},"data":{"badge":"gold"}}"#, nil),
            (#"{"channels":[],"data":{"alert":"x"}}"#, nil), (#"{"channels":[7],"data":{"alert":"x"}}"#, nil),
            (#"{"channels":["c"],"name":"e","data":{"alert":"x"}}"#, nil), (#"{"data":{"alert":"x"}}"#, nil),
            (#"{"aps":{},"push_id":"p","type":"promo","template_id":"t"}"#, "apns"),
            (#"{"aps":{},"push_id":"p","sender_id":"s"}"#, "apns"),
            (#"{"aps":{},"push_id":"p","route":"/orders/5"}"#, "apns"),
            (#"{"aps":{},"data":{"push_id":"p","order":"5","type":"order"}}"#, "apns"),
            (#"{"message":{"token":"t","data":{"push_id":"p","order":"5"}}}"#, "fcm"),
        ] as [(String, String?)])
    func `a payload is not recognised as Pushover, Parse or Sendios by a single common key`(
        text: String, dialect: String?
    ) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
    }

    @Test(arguments: [
        (#"{"token":"t","user":"u","message":"m","ttl":60,"html":1}"#, "pushover"),
        (
            #"{"token":"azGDORePK8gMaC0QOYAMyEEuzJnyUi","user":"uQiRzpo4DXghDmr9QzzfQu27cmVRsG","message":"m","x":1}"#,
            "pushover"
        ),
        (#"{"where":{},"data":{"badge":"Increment"},"push_time":"t","_ApplicationId":"a"}"#, "parse"),
        (#"{"channels":["c"],"data":{"content-available":1},"expiration_interval":60}"#, "parse"),
        (#"{"aps":{},"push_id":"p","type":"route","route":"chats"}"#, "sendios"),
        (#"{"aps":{},"push_id":"p","logic_id":"l"}"#, "sendios"),
        (#"{"aps":{},"data":{"push_id":"p","type":"x","sender_id":"2"}}"#, "sendios"),
        (#"{"aps":{},"data":{"push_id":"p","route":"chat","from_user_id":"8","order":"5"}}"#, "sendios"),
    ])
    func `a payload with the documented keys is recognised as Pushover, Parse or Sendios`(text: String, dialect: String)
        throws
    {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect?.description == dialect)
    }

    @Test(arguments: [
        #"{"aps":{},"url":"myapp://room/4","kind":"video"}"#, #"{"aps":{},"url":"https://a/u","expiry":5}"#,
        #"{"aps":{},"image":"https://a/i","url":"https://a/u","kind":"video"}"#,
        #"{"aps":{},"type":"TEXT","text":"t","channel":"c"}"#,
        #"{"aps":{},"type":"TEXT","text":"t"}"#, #"{"aps":{},"kind":"video"}"#, #"{"aps":{},"url":"u","kind":"car"}"#,
        #"{"title":"t","image":"u","url":"u","kind":"video"}"#, #"{"aps":{},"_":"x","url":"u","kind":"video"}"#,
    ])
    func `a payload with only common keys is not reported as an incomplete 2mee payload`(text: String) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect != nil && payload.problems == [])
    }

    @Test func `a requested dialect reads a payload even if another dialect recognises it`() throws {
        let object: JSONObject = ["aps": ["alert": "x"], "image_url": "https://a.example/1", "push_id": "p"]
        #expect(DialectTable.standard.read(object).dialect == "sendios")
        let payload = DialectTable.standard.read(object, requested: "apns")
        #expect(payload.dialect == "apns")
        #expect(payload.detectedBy == "requested")
        #expect(payload.providerID == nil)
        #expect(payload.media.map(\.url) == ["https://a.example/1"])
    }

    @Test func `a payload with an unknown requested dialect is recognised as usual`() {
        #expect(DialectTable.standard.read(["aps": [:]], requested: "nobody").dialect == "apns")
    }
}
