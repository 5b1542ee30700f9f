import NotificationModel
import Testing

@Suite struct PermissionLayersTests {
    /// Returns settings that state only the download.
    private static func download(_ value: Bool?) -> PermissionSettings {
        var settings = PermissionSettings()
        settings[.download] = value
        return settings
    }

    @Test(
        arguments: [
            (nil, nil, nil, true, true, .daemon), (nil, nil, nil, false, false, .daemon),
            (nil, nil, false, true, false, .group), (nil, nil, true, false, true, .group),
            (nil, false, true, true, false, .recipient), (nil, true, false, false, true, .recipient),
            (false, true, true, true, false, .envelope), (true, false, false, false, true, .envelope),
            (true, nil, false, false, true, .envelope), (nil, true, nil, false, true, .recipient),
        ] as [(Bool?, Bool?, Bool?, Bool, Bool, PermissionRule)])
    func `the first layer that states a permission decides it`(
        _ envelope: Bool?, _ recipient: Bool?, _ group: Bool?, _ daemon: Bool, _ value: Bool, _ rule: PermissionRule
    ) {
        var layers = PermissionLayers()
        layers.envelope = Self.download(envelope)
        layers.recipient = Self.download(recipient)
        layers.group = Self.download(group)
        layers.daemon.download = daemon
        let decision = layers.decision(on: .download)
        #expect(decision.value == value)
        #expect(decision.rule == rule)
        #expect(layers.permissions.download == value)
        #expect(layers.permissions.service)
    }

    @Test func `a critical request ignores all permissions except service`() {
        var layers = PermissionLayers()
        for permission in Permission.allCases {
            layers.envelope[permission] = permission == .wifiOnly || permission == .provisional
            layers.recipient[permission] = layers.envelope[permission]
        }
        layers.envelope[.service] = nil
        layers.daemon.download = false
        layers.isCritical = true
        #expect(layers.decision(on: .service) == (false, .recipient))
        for permission in Permission.allCases where permission != .service {
            #expect(layers.decision(on: permission) == (Permissions()[permission], .envelope))
        }
        var expected = Permissions()
        expected.service = false
        #expect(layers.permissions == expected)
    }

    @Test func `the first layer with a language decides the language`() {
        var layers = PermissionLayers()
        #expect(layers.locale == nil)
        layers.daemonLocale = "en"
        #expect(layers.locale == "en")
        layers.group.locale = "fr"
        #expect(layers.locale == "fr")
        layers.recipient.locale = "de-AT"
        #expect(layers.locale == "de-AT")
        layers.envelope.locale = "it"
        #expect(layers.locale == "it")
    }

    @Test func `settings keep each permission apart from the others`() {
        var settings = PermissionSettings()
        for permission in Permission.allCases {
            #expect(settings[permission] == nil)
            settings[permission] = false
            #expect(settings[permission] == false)
            settings[permission] = true
            #expect(settings[permission] == true)
        }
        let copy = PermissionSettings(statedBits: settings.statedBits, trueBits: settings.trueBits, locale: nil)
        #expect(copy == settings)
        for permission in Permission.allCases { settings[permission] = nil }
        #expect(settings.isEmpty)
    }
}
