import Base
import NotificationModel
import ServiceConfiguration
import Testing

@Suite struct ListingTests {
    @Test func `the listing contains each key with its value and its source`() throws {
        let fixture = try ConfigurationFixture("# first\nbudget: 90s\nfetch:\n  allowHosts: [a.example, b.example]\n")
        let configuration = try fixture.load(
            environment: ["APPGROUPD_LOG_LEVEL": "debug"], flags: [FlagValue("--workers", "2")])
        let rows = configuration.rows
        #expect(rows.count == ConfigurationKey.all.count)
        #expect(rows.contains(["budget", "\(fixture.path):2", "90s"]))
        #expect(rows.contains(["fetch.allowHosts", "\(fixture.path):4", "a.example, b.example"]))
        #expect(rows.contains(["log.level", "environment APPGROUPD_LOG_LEVEL", "debug"]))
        #expect(rows.contains(["workers", "flag --workers", "2"]))
        #expect(rows.contains(["socketGroup", "default", "none"]))
        #expect(rows.contains(["groups", "default", "[]"]))
    }

    @Test func `the listing is available as JSON for programs`() throws {
        let entries = try #require(Configuration(workers: 4).json.array)
        #expect(entries.map { $0["key"]?.string } == ConfigurationKey.all.map(\.path))
        let workers = try #require(entries.first { $0["key"] == "workers" })
        #expect(workers == ["key": "workers", "value": 4, "source": "default", "reloadable": false])
        let ports = try #require(entries.first { $0["key"] == "fetch.allowPorts" })
        #expect(ports["value"] == [80, 443])
        let group = try #require(entries.first { $0["key"] == "files.group" })
        #expect(group["value"] == .null)
    }

    @Test(
        arguments: [
            ("root", "/var/lib/appgroupd"), ("socket", "/var/lib/appgroupd/appgroupd.sock"),
            ("listen", "127.0.0.1:8480"), ("budget", "30s"), ("profile", "ios"), ("log.level", "info"),
            ("log.format", "auto"), ("log.console", "true"), ("log.file", "none"), ("log.fileLevel", "info"),
            ("log.fileBytes", "64MiB"), ("log.fileCount", "5"), ("log.journal", "false"),
            ("log.journalLevel", "info"), ("fetch.allowPorts", "80, 443"), ("fetch.schemes", "https, http"),
            ("fetch.connectTimeout", "5s"), ("fetch.firstByteTimeout", "10s"),
            ("fetch.idleTimeout", "10s"), ("fetch.redirects", "5"), ("fetch.connections", "256"),
            ("fetch.connectionsPerHost", "16"), ("media.videoBytes", "50MB"), ("media.pictureBytes", "40MB"),
            ("media.soundBytes", "20MB"), ("requests.inFlight", "1024"), ("requests.queued", "16384"),
            ("requests.perGroup", "none"),
            ("requests.bodyBytes", "4MiB"), ("reserve", "250ms"), ("media.pixels", "100000000"),
            ("media.decodedBytes", "160MB"), ("media.frames", "1000"), ("media.duration", "10m"),
            ("media.quota", "10GiB"), ("media.retention", "7d"), ("media.signingKeyFile", "none"),
            ("media.accelRedirect", "none"),
            ("results.retention", "7d"), ("publicURL", "none"), ("locale", "none"), ("dialects", "[]"),
            ("texts", "{}"), ("twomee.presentationWhen", "{}"),
            (
                "apns.mediaKeys",
                "media.url, media-url, media_url, image-url, image_url, attachment-url, attachment_url, image, video, audio, "
                    + "imageUrl, imageURL, attachmentUrl, mediaUrl, media, picture, photo, data.media.url, data.media-url, "
                    + "data.media_url, data.image-url, data.image_url, data.attachment-url, data.attachment_url, "
                    + "data.image, data.video, data.audio, data.imageUrl, data.imageURL, data.attachmentUrl, "
                    + "data.mediaUrl, data.media, data.picture, data.photo"
            ),
            ("twomee.category", "appear2meeNotificationCategory"),
            ("twomee.expiredText", "Sorry, opportunity missed!"), ("twomee.accept", "OK"),
            ("twomee.dismiss", "Dismiss"), ("twomee.play", "Play"),
            (
                "twomee.sounds",
                #"{"face":"tothepoint.aiff","image":"slowspringboard.aiff","animation":"slowspringboard.aiff","#
                    + #""video":"slowspringboard.aiff","text":"slowspringboard.aiff","other":"slowspringboard.aiff"}"#
            ),
            ("twomee.languages", "{}"), ("twomee.images", "attached"), ("twomee.dismissTime", "5s"),
            ("twomee.headPosition", "top-right"), ("twomee.shouldersPosition", "right"),
            ("twomee.centerBackgroundColor", "#ffffffff"), ("twomee.backgroundColor", "#00000099"),
            ("twomee.faceBackgroundColor", "#00000033"), ("twomee.backgroundImage", "media.jpg"),
            ("twomee.faceBackgroundImage", "face.png"), ("push.says", "success"),
            ("permissions.unknownNetwork", "cellular"),
            ("permissions.service", "true"), ("permissions.download", "true"), ("permissions.wifiOnly", "false"),
            ("permissions.alert", "true"), ("permissions.sound", "true"), ("permissions.badge", "true"),
            ("permissions.provisional", "false"), ("sendios.baseURL", "none"), ("comapi.baseURL", "none"),
            ("sendios.clientId", "none"), ("sendios.clientTokenFile", "none"),
            ("sendios.appId", "none"), ("sendios.senderId", "2"), ("sendios.optOuts", "false"),
            ("comapi.apiSpace", "none"),
            ("comapi.tokenURL", "none"), ("comapi.keyFile", "none"), ("comapi.issuer", "none"),
            ("comapi.audience", "none"), ("comapi.idClaim", "sub"),
            ("callbacks.targets", "[]"), ("callbacks.apiURL", "none"), ("callbacks.retention", "7d"),
            ("callbacks.quota", "256MiB"),
            ("receipts.publicURL", "none"), ("receipts.signingKeyFile", "none"), ("receipts.urlLifetime", "7d"),
            ("record.folder", "none"), ("record.quota", "100MiB"),
            ("matrix.homeserver", "none"), ("matrix.tokenFile", "none"), ("matrix.gateway", "token"),
            ("matrix.paths", "[]"), ("matrix.apps", "{}"), ("homeassistant.baseURL", "none"),
        ])
    func `the default values equal the values of the contract`(key: String, text: String) throws {
        #expect(try Configuration(workers: 1).text(key) == text)
    }
}
