import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of requests whose recipients have stored permissions.
@Suite struct RecipientPermissionTests {
    /// Recipients in memory, which records the names that are looked up.
    final class Recipients: RecipientReading {
        private let stored: Guarded<[String: RecipientLookup.Stored]>
        private let isReadable: Bool
        let lookups = Record<String>()

        init(_ settings: [String: PermissionSettings] = [:], isReadable: Bool = true) {
            stored = Guarded(settings.mapValues { RecipientLookup.Stored(settings: $0, version: 7) })
            self.isReadable = isReadable
        }

        func set(_ settings: PermissionSettings?, of name: String) {
            stored.withLock { $0[name] = settings.map { RecipientLookup.Stored(settings: $0, version: 8) } }
        }

        func recipient(_ name: RecipientName) async -> RecipientLookup {
            lookups.append(name.name)
            return RecipientLookup(
                mark: RecipientMark(name: name, revision: isReadable ? 1 : 0), stored: stored.withLock { $0[name.name] }
            )
        }
    }

    private static func settings(_ change: (inout PermissionSettings) -> Void) -> PermissionSettings {
        var settings = PermissionSettings()
        change(&settings)
        return settings
    }

    private static let noDownload = settings { $0[.download] = false }
    private static let noService = settings { $0[.service] = false }

    private static func permission(_ notification: ProcessedNotification?) -> JSONValue? {
        notification?.json["details"]?["permission"]
    }

    @Test func `a stored opt-out rejects the request without a byte fetched, and the result names the rule`()
        async throws
    {
        let bench = PipelineBench(recipients: Recipients(["anna": Self.noService]))
        let request = try bench.request(SamplePayloads.pair) { $0.recipient = "anna" }
        let notification = try await bench.process(request).first
        #expect(notification?.outcome == .rejected)
        #expect(notification?.reason == .serviceNotPermitted)
        #expect(Self.permission(notification) == ["name": "service", "rule": "recipient", "version": 7])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `stored settings of a download and of Wi-Fi refuse media, and the result names the rule`() async throws {
        let recipients = Recipients(["anna": Self.noDownload, "ben": Self.settings { $0[.wifiOnly] = true }])
        let bench = PipelineBench(recipients: recipients)
        let downloads = try bench.request(SamplePayloads.pair) { $0.recipient = "anna" }
        let first = try await bench.process(downloads).last
        #expect(first?.reason == .downloadNotPermitted)
        #expect(Self.permission(first) == ["name": "download", "rule": "recipient", "version": 7])
        let cellular = try bench.request(SamplePayloads.pair) { $0.recipient = "ben" }
        let second = try await bench.process(cellular).last
        #expect(second?.reason == .wifiOnly)
        #expect(Self.permission(second) == ["name": "wifiOnly", "rule": "recipient", "version": 7])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a permission of the daemon or of the group refuses, and the result names its rule`() async throws {
        let bench = PipelineBench()
        var layers = PermissionLayers()
        layers.daemon.download = false
        let request = try bench.request(SamplePayloads.pair) { [layers] in $0.apply(layers) }
        #expect(
            Self.permission(try await bench.process(request).last)
                == ["name": "download", "rule": "daemon", "version": nil])
        layers.group = Self.settings { $0[.alert] = false }
        let quiet = try bench.request(SamplePayloads.pair) { [layers] in $0.apply(layers) }
        #expect(
            Self.permission(try await bench.process(quiet).last) == ["name": "alert", "rule": "group", "version": nil])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `the envelope takes precedence over the recipient, and a critical request ignores all but service`()
        async throws
    {
        let bench = PipelineBench(recipients: Recipients(["anna": Self.noDownload, "ben": Self.noService]))
        var layers = PermissionLayers()
        layers.envelope = Self.settings { $0[.download] = true }
        let permitted = try bench.request(SamplePayloads.pair) { [layers] in
            $0.apply(layers)
            $0.recipient = "anna"
        }
        let first = try await bench.process(permitted).last
        #expect(first?.outcome == .rich)
        #expect(Self.permission(first) == nil)
        var critical = PermissionLayers()
        critical.isCritical = true
        for (name, outcome) in [("anna", Outcome.rich), ("ben", .rejected)] {
            let request = try bench.request(SamplePayloads.pair) { [critical] in
                $0.apply(critical)
                $0.recipient = name
            }
            #expect(try await bench.process(request).last?.outcome == outcome)
        }
    }

    @Test func `a request is planned again by the present settings of its recipient`() async throws {
        let recipients = Recipients()
        let bench = PipelineBench(recipients: recipients)
        let request = try bench.request(SamplePayloads.pair) { $0.recipient = "anna" }
        let planned = await bench.plan(request)
        #expect(!planned.isDecided)
        recipients.set(Self.noService, of: "anna")
        let refused = await planned.replanned()
        #expect(refused.isDecided)
        #expect(await refused.notification().outcome == .rejected)
        recipients.set(nil, of: "anna")
        let permitted = await refused.replanned()
        #expect(!permitted.isDecided, "a removed receiver has no settings")
    }

    @Test func `no media are fetched for a recipient whose settings cannot be read`() async throws {
        let bench = PipelineBench(recipients: Recipients(isReadable: false))
        let request = try bench.request(SamplePayloads.pair) { $0.recipient = "anna" }
        let notification = try await bench.process(request).last
        #expect(notification?.reason == .storageFailed)
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"message":{"token":"fcm-1","notification":{"title":"a"}}}"#, "fcm-1"),
            (#"{"message":{"topic":"news","notification":{"title":"a"}}}"#, nil),
            (#"{"to":"legacy-1","notification":{"title":"a"}}"#, "legacy-1"),
            (#"{"to":"/topics/news","notification":{"title":"a"}}"#, nil),
            (#"{"registration_ids":["r-1"],"data":{"a":"b"}}"#, "r-1"),
            (#"{"registration_ids":["r-1","r-2"],"data":{"a":"b"}}"#, nil),
            (#"{"to":"ExponentPushToken[x]","title":"a"}"#, "ExponentPushToken[x]"),
            (#"{"to":["ExponentPushToken[x]","ExponentPushToken[y]"],"title":"a"}"#, nil),
            (#"{"notifications":[{"platform":1,"tokens":["g-1"],"message":"a"}]}"#, "g-1"),
            (#"{"notification":{"event_id":"$1","room_id":"!1","devices":[{"app_id":"a","pushkey":"m-1"}]}}"#, "m-1"),
            (#"{"message":{"token":["h-1"],"notification":{"title":"a"}}}"#, "h-1"),
            (#"{"aps":{"alert":"a"}}"#, nil),
        ] as [(String, String?)])
    func `the token of a payload for one device is the name of its recipient`(
        _ payload: String, _ name: String?
    ) async throws {
        let recipients = Recipients()
        let bench = PipelineBench(recipients: recipients)
        try await bench.process(try bench.request(payload))
        #expect(recipients.lookups.elements == [name].compactMap(\.self))
        try await bench.process(try bench.request(payload) { $0.recipient = "anna" })
        #expect(recipients.lookups.elements.last == "anna", "the envelope takes precedence")
    }

    @Test func `warming asks for no recipient`() async throws {
        let recipients = Recipients()
        let bench = PipelineBench(recipients: recipients)
        _ = await bench.warm(try bench.request(SamplePayloads.pair) { $0.recipient = "anna" })
        #expect(recipients.lookups.elements.isEmpty)
    }

    @Test func `a stored language applies to a request that names none`() async throws {
        let recipients = Recipients(["anna": Self.settings { $0.locale = "de-AT" }])
        let bench = PipelineBench(recipients: recipients)
        let planned = await bench.plan(try bench.request(SamplePayloads.pair) { $0.recipient = "anna" })
        #expect(planned.request.locale == "de-AT")
    }
}
