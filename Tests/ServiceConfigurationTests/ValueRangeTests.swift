import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of values that have the wrong type or are out of range, for each kind of value.
@Suite struct ValueRangeTests {
    @Test(
        arguments: [
            ("budget: 5", "budget: \"5\" is not a duration from 1ms to 1h, such as 500ms, 5s, 2m or 1h"),
            ("budget: 0s", "budget: \"0s\" is not a duration"),
            ("budget: 3601s", "budget: \"3601s\" is not a duration"),
            ("budget: -5s", "budget: \"-5s\" is not a duration"),
            ("budget:", "budget: has no value: it must be a duration"),
            ("budget: [5s]", "budget: is a list: it must be a duration"),
            ("budget: {a: 5s}", "budget: is a mapping: it must be a duration"),
            ("budget: \"\"", "budget: \"\" is not a duration"),
            ("budget: \"5s\\n\"", "budget: \"5s\\n\" is not a duration"),
            ("root: \"\"", "root: \"\" is not the path of a directory"),
            ("root: \"a\\0b\"", "root: \"a\\u0000b\" is not the path of a directory"),
            ("root: ~", "root: has no value: it must be the path of a directory"),
            ("socketGroup: a b", "socketGroup: \"a b\" is not the name or number of a group"),
            ("socketGroup: -x", "socketGroup: \"-x\" is not the name or number of a group"),
            ("listen: 8480", "listen: \"8480\" is not HOST:PORT"),
            ("listen: \":8480\"", "listen: \":8480\" is not HOST:PORT"),
            ("listen: ::1:8480", "listen: \"::1:8480\" is not HOST:PORT, such as 127.0.0.1:8480 or [::1]:8480"),
            ("listen: localhost:65536", "listen: \"localhost:65536\" is not HOST:PORT"),
            ("listen: localhost:+1", "listen: \"localhost:+1\" is not HOST:PORT"),
            (
                "groups: group.a",
                "groups: is \"group.a\": it must be a list of app groups, such as [one, two] or [] for none"
            ),
            ("groups:", "groups: has no value: it must be a list of app groups"),
            ("groups: [a/b]", "groups: \"a/b\" is not 1 to 128 letters, digits, dots and dashes"),
            ("groups: [[a]]", "groups: is a list: it must be 1 to 128 letters"),
            ("groups: [~]", "groups: has no value: it must be 1 to 128 letters"),
            ("profile: desktop", "profile: \"desktop\" is not one of ios, android"),
            ("locale: de AT", "locale: \"de AT\" is not a language tag, such as de or de-AT"),
            ("locale: ~", "locale: has no value: it must be a language tag, such as de or de-AT"),
            ("locale: deutschland", "locale: \"deutschland\" is not a language tag"),
            ("locale: ../de", "locale: \"../de\" is not a language tag"),
            ("apns: {mediaKeys: image}", "apns.mediaKeys: is \"image\": it must be a list of places in a payload"),
            ("apns: {mediaKeys: [a..b]}", "apns.mediaKeys: \"a..b\", character 3: a key is missing"),
            ("twomee: {category: \"\"}", "twomee.category: \"\" is not a text of 1 to 1000 bytes on one line"),
            ("twomee: {accept: \"a\\nb\"}", "twomee.accept: \"a\\nb\" is not a text of 1 to 1000 bytes on one line"),
            ("twomee: {play: ~}", "twomee.play: has no value: it must be a text"),
            ("twomee: {sounds: a.aiff}", "twomee.sounds: is \"a.aiff\": it must be a mapping with keys of face, image"),
            ("twomee: {sounds: {faces: a}}", "twomee.sounds: faces is not a key; did you mean face?"),
            (
                "twomee: {sounds: {face: a/b}}",
                "twomee.sounds.face: \"a/b\" is not the name of a sound file, such as bell.aiff"
            ),
            ("twomee: {sounds: {face: ~}}", "twomee.sounds.face: has no value: it must be the name of a sound file"),
            ("workers: 0", "workers: \"0\" is not a whole number from 1 to 256"),
            ("workers: 0x4", "workers: \"0x4\" is not a whole number"),
            ("workers: 2.0", "workers: \"2.0\" is not a whole number"),
            ("workers: 99999999999999999999", "workers: \"99999999999999999999\" is not a whole number"),
            ("workers: \u{665}", "workers: \"\u{665}\" is not a whole number"),
            ("log: {level: INFO}", "log.level: \"INFO\" is not one of trace, debug, info, notice, warning, error"),
            ("log: {format: yaml}", "log.format: \"yaml\" is not one of auto, text, json"),
            ("fetch: {allowAddresses: [10.0.0.0/33]}", "fetch.allowAddresses: \"10.0.0.0/33\" is not an address"),
            ("fetch: {allowAddresses: [localhost]}", "fetch.allowAddresses: \"localhost\" is not an address"),
            ("fetch: {allowHosts: [https://a.example]}", "fetch.allowHosts: \"https://a.example\" is not a host"),
            ("fetch: {allowHosts: [\"a.*.example\"]}", "fetch.allowHosts: \"a.*.example\" is not a host"),
            ("fetch: {denyHosts: [bücher.example]}", "fetch.denyHosts: \"bücher.example\" is not a host"),
            ("fetch: {allowPorts: [0]}", "fetch.allowPorts: \"0\" is not a whole number from 1 to 65535"),
            ("fetch: {allowPorts: []}", "fetch.allowPorts: is empty: name at least one of ports"),
            ("fetch: {schemes: []}", "fetch.schemes: is empty: name at least one of schemes"),
            ("fetch: {schemes: [ftp]}", "fetch.schemes: \"ftp\" is not one of https, http"),
            ("fetch: {redirects: 21}", "fetch.redirects: \"21\" is not a whole number from 0 to 20"),
            ("media: {videoBytes: 0}", "media.videoBytes: \"0\" is not a number of bytes from 1 to 1TiB"),
            ("media: {videoBytes: 5 MB}", "media.videoBytes: \"5 MB\" is not a number of bytes"),
            ("media: {videoBytes: 9999999999TiB}", "media.videoBytes: \"9999999999TiB\" is not a number of bytes"),
            ("results: {retention: 7}", "results.retention: \"7\" is not a duration from 1m to 3650d"),
        ])
    func `an invalid value is reported with its key and a valid form`(yaml: String, expected: String) throws {
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix("appgroupd.yaml:1: " + expected) == true, "\(problems)")
        #expect(problems.first?.contains("\n") == false)
    }

    @Test func `a message kind without a setting has its default sound, and the setting none removes the sound`() throws
    {
        let configuration = try ConfigurationFixture("twomee: {sounds: {face: a.caf, video: none}}").load()
        #expect(
            configuration.twoMee.sounds == [
                "face": "a.caf", "image": "slowspringboard.aiff", "animation": "slowspringboard.aiff",
                "text": "slowspringboard.aiff", "other": "slowspringboard.aiff",
            ])
        #expect(try configuration.text("twomee.sounds").contains(#""video":"none""#))
    }

    @Test func `a language has up to four texts, and its tag is stored in lower case`() throws {
        let yaml = "twomee: {languages: {de: {accept: Ansehen, play: Los}, fr_CA: {expiredText: Trop tard}}}"
        let languages = try ConfigurationFixture(yaml).load().twoMee.languages
        #expect(Set(languages.keys) == ["de", "fr-ca"])
        #expect(languages["de"]?.accept == "Ansehen" && languages["de"]?.play == "Los")
        #expect(languages["de"]?.dismiss == nil && languages["fr-ca"]?.expiredText == "Trop tard")
    }

    @Test(arguments: [
        "twomee: {languages: {deutsch schön: {}}}", "twomee: {languages: {de: {acept: x}}}",
        "twomee: {languages: {de: x}}", "twomee: {languages: [de]}", "twomee: {languages: {de: {}, DE: {}}}",
        "twomee: {backgroundColor: red}", "twomee: {backgroundColor: \"#12345\"}", "twomee: {dismissTime: -1s}",
        "twomee: {headPosition: left}", "twomee: {images: hidden}", "permissions: {unknownNetwork: none}",
        "push: {says: fallback}",
    ])
    func `an invalid setting of 2mee is reported as one problem`(yaml: String) throws {
        #expect(try ConfigurationFixture(yaml).problems().count == 1)
    }

    @Test func `a color without an alpha value is opaque`() throws {
        let twoMee = try ConfigurationFixture("twomee: {backgroundColor: \"#12AB00\"}").load().twoMee
        #expect(twoMee.presentation.backgroundColor == "#12ab00ff")
    }

    @Test func `a label of more than a thousand bytes is refused`() throws {
        let maxLength = String(repeating: "ß", count: 500)
        #expect(try ConfigurationFixture("twomee: {dismiss: \(maxLength)}").load().twoMee.dismiss == maxLength)
        #expect(try ConfigurationFixture("twomee: {dismiss: \(maxLength)x}").problems().count == 1)
    }

    @Test func `a long value is shortened in the message`() throws {
        let problems = try ConfigurationFixture("workers: " + String(repeating: "9", count: 10_000)).problems()
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.count < 200 })
    }

    @Test func `an invalid element of a list is reported with its own line`() throws {
        let problems = try ConfigurationFixture("groups:\n  - group.a\n  - a/b\n  - c d\n").problems()
        #expect(problems.map { $0.prefix(18) } == ["appgroupd.yaml:3: ", "appgroupd.yaml:4: "])
    }

    @Test func `a repeated element is used once`() throws {
        let configuration = try ConfigurationFixture("fetch: {allowHosts: [A.example, a.example., b.example]}").load()
        #expect(configuration.fetch.allowHosts == ["a.example", "b.example"])
    }

    @Test(
        arguments: [
            ("APPGROUPD_BUDGET", ""), ("APPGROUPD_FETCH_ALLOW_PORTS", "80,,443"),
            ("APPGROUPD_FETCH_ALLOW_PORTS", "80,"),
            ("APPGROUPD_FETCH_SCHEMES", ""), ("APPGROUPD_FETCH_HEADERS", "{a"), ("APPGROUPD_FETCH_HEADERS", "a"),
            ("APPGROUPD_FETCH_HEADERS", "{a.example: {X: *a}}"), ("APPGROUPD_ROOT", ""),
        ])
    func `an invalid variable is reported with its name`(name: String, text: String) throws {
        let problems = try ConfigurationFixture().problems(environment: [name: text])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(name): ") == true, "\(problems)")
    }

    @Test func `an empty variable sets an empty list or mapping`() throws {
        let configuration = try ConfigurationFixture("groups: [group.a]\nfetch: {headers: {a.example: {X-A: b}}}").load(
            environment: ["APPGROUPD_GROUPS": "", "APPGROUPD_FETCH_HEADERS": ""])
        #expect(configuration.groups.names.isEmpty)
        #expect(configuration.fetch.headers.isEmpty)
    }

    @Test func `a repeated flag adds an element to a list, or replaces a single value`() throws {
        let configuration = try ConfigurationFixture().load(flags: [
            FlagValue("--allow-port", "80"), FlagValue("--budget", "1s"), FlagValue("--allow-port", "8080,8443"),
            FlagValue("--budget", "2s"),
        ])
        #expect(configuration.fetch.allowPorts == [80, 8_080, 8_443])
        #expect(configuration.budget == .seconds(2))
    }

    @Test func `the socket is in the root if no socket path is configured`() throws {
        #expect(try ConfigurationFixture("root: /a/").load().socket == "/a/appgroupd.sock")
        #expect(try ConfigurationFixture("root: /").load().socket == "/appgroupd.sock")
        #expect(try ConfigurationFixture("root: /a\nsocket: /b").load().socket == "/b")
    }

    @Test func `a root that is too deep for a socket is refused if no socket path is configured`() throws {
        let root = "root: /" + String(repeating: "r", count: 91)
        #expect(try ConfigurationFixture(root).problems() == [])
        let problems = try ConfigurationFixture(root + "r").problems()
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("appgroupd.yaml:1: the socket's path in this root has more than 107") == true)
        #expect(try ConfigurationFixture(root + "r\nsocket: /s").problems() == [])
    }
}
