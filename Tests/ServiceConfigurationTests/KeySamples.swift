/// A set of three values for each key, as a variable or a flag sets them and as the listing shows them. The files that
/// the values name exist as long as the `KeySamples` value.
struct KeySamples {
    private let files: ConfigurationFixture
    let all: [String: [String]]

    init() throws {
        files = try ConfigurationFixture()
        let tokens = [try files.file("first", "syt_1"), try files.file("second", "syt_2")]
        let users = [try files.file("user", "a:b"), try files.file("other user", "c:d:e")]
        let bearer = try files.file("bearer", String(repeating: "t", count: 43))
        let keys = try files.file("jwks", Self.jwks)
        let signing = [
            try files.file("signing", String(repeating: "a", count: 43)),
            try files.file("other signing", String(repeating: "b", count: 43)),
        ]
        let ofFiles = [
            "matrix.tokenFile": tokens + ["none"], "fetch.proxyCredentials": users + ["none"],
            "sendios.clientTokenFile": tokens + ["none"], "comapi.keyFile": tokens + ["none"],
            "tls.keyFile": tokens + ["none"], "media.signingKeyFile": signing + ["none"],
            "auth.tokens": [
                #"[{"name":"a","hash":"sha256:\#(Self.digits)","groups":["*"],"scopes":["submit"]}]"#,
                #"[{"name":"a-1","file":"\#(bearer)","groups":["group.a","group.b"],"scopes":["read","admin"],"rate":5,"concurrent":7}]"#,
                "[]",
            ],
            "auth.issuers": [
                #"[{"issuer":"https://a","audience":"b","keysFile":"\#(keys)","groupsClaim":"groups","scopesClaim":"scope"}]"#,
                #"[{"issuer":"c","audience":"d","keysFile":"\#(keys)","algorithms":["HS256"],"groupsClaim":"g","scopesClaim":"s","rate":1}]"#,
                "[]",
            ],
        ]
        all = Self.lasting.merging(ofFiles) { $1 }
    }

    private static let digits = String(repeating: "0123456789abcdef", count: 4)
    private static let jwks =
        #"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}"#

    private static let lasting: [String: [String]] = [
        "root": ["/a", "./var", "/"],
        "socket": ["/run/a.sock", "b.sock", "/c"],
        "socketGroup": ["www-data", "1000", "none"],
        "listen": ["none", "[::1]:0", "localhost:65535"],
        "groups": ["group.a", "group.b, group.c", "group.d"],
        "budget": ["1ms", "1h", "5s"],
        "reserve": ["0s", "1m", "20ms"],
        "profile": ["watch", "android", "ios"],
        "workers": ["1", "256", "7"],
        "sandbox.user": ["www-data", "1000", "appgroupd-media"],
        "sandbox.require": ["all", "filter", "none"],
        "log.level": ["trace", "error", "notice"],
        "log.format": ["json", "text", "auto"],
        "fetch.allowAddresses": ["127.0.0.0/8", "10.0.0.1, fd00::/8", "::1"],
        "fetch.allowHosts": ["*.example.com", "a.example, b.example", "192.0.2.1"],
        "fetch.denyHosts": ["xn--bcher-kva.example", "*.a.example", "::1"],
        "fetch.allowPorts": ["8443", "1, 65535", "80"],
        "fetch.schemes": ["https", "http", "http, https"],
        "fetch.headers": [
            "{a.example: {Accept: one}}", "{b.example: {Accept: two}}", "{a.example: {Accept: three, X-B: four}}",
        ],
        "auth.required": ["remote", "always", "remote"],
        "tls.certificateFile": ["/dev/null", "/etc/hostname", "none"],
        "tls.clientCAFile": ["/dev/null", "/etc/hostname", "none"],
        "http.metricsListen": ["127.0.0.1:9480", "[::]:0", "none"],
        "http.trustedProxies": ["10.0.0.0/8, ::1", "192.0.2.1", "203.0.113.0/24"],
        "fetch.caFile": ["/etc/ca.pem", "ca.pem", "none"],
        "fetch.hosts": [
            #"{"a.example":{"caFile":"/etc/a.pem"}}"#,
            #"{"b.example":{"pin":["sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]}}"#,
            #"{"192.0.2.1":{"caFile":"c.pem","pin":["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}"#,
        ],
        "fetch.connectTimeout": ["1ms", "2s", "1500ms"],
        "fetch.firstByteTimeout": ["3s", "1h", "2.5ms"],
        "fetch.idleTimeout": ["4s", "1m", "61s"],
        "fetch.redirects": ["0", "20", "3"],
        "fetch.connections": ["1", "10000", "8"],
        "fetch.connectionsPerHost": ["1", "1000", "8"],
        "fetch.stalledConnections": ["0", "100000", "8"],
        "fetch.stalledConnectionsPerHost": ["0", "100000", "8"],
        "fetch.nameServers": ["192.0.2.53", "127.0.0.1:5353, ::1", "[2001:db8::53]:53"],
        "fetch.nameServerTimeout": ["1ms", "1m", "500ms"],
        "fetch.proxy": ["http://proxy.example.com:3128", "https://[2001:db8::1]:443", "none"],
        "fetch.noProxy": ["example.com", ".a.example, *.b.example", "10.0.0.0/8, ::1"],
        "fetch.proxyResolves": ["false", "true", "false"],
        "fetch.defaultFreshness": ["0s", "365d", "90s"],
        "fetch.cacheQuota": ["0", "1024TiB", "20GB"],
        "media.videoBytes": ["1", "1TiB", "30MB"],
        "media.pictureBytes": ["1kB", "1025", "30MiB"],
        "media.soundBytes": ["5MB", "5MiB", "999"],
        "media.pixels": ["1", "500000000", "99"],
        "media.decodedBytes": ["1", "200MB", "5MiB"],
        "media.frames": ["1", "100000", "99"],
        "media.jpegQuality": ["1", "100", "72"],
        "media.videoSide": ["16", "16384", "1280"],
        "media.damaged": ["show", "refuse", "show"],
        "media.duration": ["1ms", "1d", "90s"],
        "media.quota": ["1MiB", "1024TiB", "20GB"],
        "media.retention": ["1m", "3650d", "36h"],
        "media.accelRedirect": ["/renditions", "/a/b", "none"],
        "requests.inFlight": ["1", "1000000", "99"],
        "requests.queued": ["0", "10000000", "99"],
        "requests.perGroup": ["1", "10000000", "none"],
        "requests.bodyBytes": ["1KiB", "64MiB", "2MB"],
        "requests.largeBodyBytes": ["1MiB", "16GiB", "200MB"],
        "results.retention": ["1m", "3650d", "36h"],
        "results.quota": ["1MiB", "1TiB", "500MB"],
        "batches.maxBytes": ["1KiB", "1TiB", "500MB"],
        "batches.quota": ["1MiB", "1TiB", "500MB"],
        "batches.retention": ["1m", "3650d", "36h"],
        "files.group": ["staff", "0", "none"],
        "fetch.userAgent": ["Mozilla/5.0 (X)", "a", "none"],
        "fetch.circuitBreaker": ["on", "off", "on"],
        "fetch.hedgeAfter": ["10ms", "1m", "none"],
        "lint.ignore": ["plain-http", "alert-empty, badge", "plain-http, badge"],
        "lint.failOn": ["warning", "note", "warning"],
        "publicURL": ["https://media.example.com", "http://[2001:db8::1]:8080/a/b", "none"],
        "locale": ["de", "zh-Hant-TW", "none"],
        "dialects": [
            #"[{"name":"a","recognisedBy":"b","media":["c"]}]"#,
            #"[{"name":"a-1","recognisedBy":"b = c","media":["d[].e","f"],"type":"d[].g","title":"h","fallback":{"body":"i"}}]"#,
            #"[{"name":"0","recognisedBy":"b","media":[],"options":{"thumbnailTime":"c"}},{"name":"1","recognisedBy":"b","media":[]}]"#,
        ],
        "permissions.service": ["true", "false", "true"],
        "permissions.download": ["true", "false", "true"],
        "permissions.wifiOnly": ["false", "true", "false"],
        "permissions.alert": ["true", "false", "true"],
        "permissions.sound": ["true", "false", "true"],
        "permissions.badge": ["true", "false", "true"],
        "permissions.provisional": ["false", "true", "false"],
        "sendios.clientId": ["7345", "a", "none"],
        "sendios.appId": ["1", "b", "none"],
        "sendios.senderId": ["1", "1000000000", "3"],
        "comapi.apiSpace": ["a", "b c", "none"],
        "comapi.tokenURL": ["https://a.example/token", "https://b.example", "none"],
        "comapi.issuer": ["a", "https://b.example", "none"],
        "comapi.audience": ["a", "b", "none"],
        "texts": [
            #"{"*":{"title":"{title} · {app}"}}"#,
            #"{"app":"Shop","*":{"body":"{body} {a.b[0]}"},"apns":{"title":"{{","subtitle":"{app}"}}"#,
            #"{"sendios":{"title":"{title} [modified]"}}"#,
        ],
        "apns.mediaKeys": ["media[].url", #"a.b, com\.acme[0]"#, "c"],
        "twomee.category": ["c", "My category", "a, b"],
        "twomee.expiredText": ["Zu spät.", "none", "Too late"],
        "twomee.accept": ["Ja", "Yes", "Oui"],
        "twomee.dismiss": ["Nein", "No", "Non"],
        "twomee.play": ["Ab", "Go", "Va"],
        "twomee.sounds": [
            #"{"face":"a.aiff","image":"b.wav","animation":"c","video":"d e.caf","text":"default","other":"f"}"#,
            #"{"face":"none","image":"none","animation":"none","video":"none","text":"none","other":"none"}"#,
            #"{"face":"none","image":"b","animation":"c","video":"d","text":"e","other":"none"}"#,
        ],
        "twomee.languages": [
            #"{"de":{"accept":"Ansehen"}}"#,
            #"{"de":{"accept":"A","dismiss":"B","play":"C","expiredText":"D"},"de-at":{"play":"E"}}"#,
            #"{"fr":{"expiredText":"Trop tard"}}"#,
        ],
        "twomee.images": ["attached", "aside", "attached"],
        "twomee.dismissTime": ["none", "0s", "1d"],
        "twomee.headPosition": ["center", "top-left", "bottom-right"],
        "twomee.shouldersPosition": ["left", "center", "right"],
        "twomee.centerBackgroundColor": ["#00000000", "#12345678", "#abcdef01"],
        "twomee.backgroundColor": ["#00000000", "#12345678", "#abcdef01"],
        "twomee.faceBackgroundColor": ["#00000000", "#12345678", "#abcdef01"],
        "twomee.backgroundImage": ["a.jpg", "b c.png", "d"],
        "twomee.faceBackgroundImage": ["a.jpg", "b c.png", "d"],
        "twomee.presentationWhen": [
            ##"{"dark":{"faceBackgroundColor":"#000000cc"}}"##,
            ##"{"theme == dark":{"dismissTime":"none","headPosition":"center","shouldersPosition":"left","centerBackgroundColor":"#12345678","backgroundColor":"#12345678","backgroundImage":"a","faceBackgroundImage":"b"},"x":{}}"##,
            #"{"dark":{"dismissTime":"7s"}}"#,
        ],
        "payloads.unknown": ["pass", "reject", "pass"], "push.says": ["success", "as-shown", "success"],
        "permissions.unknownNetwork": ["cellular", "wifi", "cellular"],
        "matrix.homeserver": ["http://matrix.example.org", "https://matrix.example.org:8448/below", "none"],
        "matrix.gateway": ["off", "open", "token"],
        "matrix.paths": ["/push/notify", "/a, /b/c", "/d"],
        "matrix.apps": [
            #"{"im.example.app":{"group":"group.im","profile":"web","environment":"production"}}"#,
            #"{"*":{},"im.example.ios*":{"environment":"development"}}"#, #"{"a":{"profile":"watch"}}"#,
        ],
        "homeassistant.baseURL": ["http://homeassistant.local:8123", "https://ha.example.com/home", "none"],
    ]
}
