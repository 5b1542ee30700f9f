import Authentication
import NotificationModel
import Testing

@testable import ServiceConfiguration

@Suite struct AppGroupTests {
    private static let two = """
        budget: 20s
        twomee: {accept: Yes}
        groups:
          group.a:
            twomee: {accept: Watch, dismiss: Later}
            budget: 5s
            media: {quota: 1GiB}
          group.b:
        """

    @Test func `a group has its own values, and the values of all groups for the other keys`() throws {
        let configuration = try ConfigurationFixture(Self.two).load()
        let (a, b) = (configuration.of(group: "group.a"), configuration.of(group: "group.b"))
        #expect(a.twoMee.accept == "Watch" && a.twoMee.dismiss == "Later" && a.twoMee.play == "Play")
        #expect(a.budget == .seconds(5) && a.media.container.quota == 1 << 30)
        #expect(b.twoMee.accept == "Yes" && b.budget == .seconds(20))
        #expect(configuration.twoMee.accept == "Yes" && configuration.budget == .seconds(20))
        #expect(configuration.byGroup.keys.map(\.description) == ["group.a"])
        #expect(a.source(of: try #require(ConfigurationKey.named("budget"))).description.hasSuffix("appgroupd.yaml:6"))
    }

    @Test(
        arguments: [
            ("", true), ("groups: []", true), ("groups: [group.a]", false), ("groups: {group.a: }", false),
            ("groups: {open: true, group.a: }", true), ("groups: {open: false}", false), ("groups: {}", true),
        ])
    func `groups that are not named are served if no group is named, or if groups are open`(
        yaml: String, isOpen: Bool
    ) throws {
        let served = try ConfigurationFixture(yaml).load().groups.served
        #expect(served.isOpen == isOpen)
        #expect(served.contains(try #require(AppGroupName("group.other"))) == isOpen)
        #expect(served.contains(.default))
    }

    @Test(
        arguments: [
            ("groups: {group.a: {buget: 5s}}", "groups.group.a: buget is not a key; did you mean budget?"),
            ("groups: {group.a: {twomee: {acept: x}}}", "groups.group.a: acept is not a key; did you mean accept?"),
            (
                "groups: {group.a: {workers: 3}}",
                "groups.group.a: workers is for all groups together: write workers at the top of the file"
            ),
            ("groups: {group.a: {budget: soon}}", "groups.group.a.budget: \"soon\" is not a duration"),
            ("groups: {group.a: 5}", "groups.group.a: is \"5\": it must be a mapping of keys"),
            ("groups: {group.a: {twomee: [x]}}", "groups.group.a.twomee: is a list: it must be a mapping of keys"),
            ("groups: {a/b: {}}", "groups: \"a/b\" is not 1 to 128 letters"),
            ("groups: {open: maybe}", "groups.open: \"maybe\" is not true or false"),
            (
                "groups: {group.a: {auth: {tokens: [{name: a, groups: [b], scopes: [read], hash: x}]}}}",
                "groups.group.a.auth.tokens[0]: groups is not a key"
            ),
            (
                "groups: {group.a: {matrix: {homeserver: ftp://a}}}",
                "groups.group.a.matrix.homeserver: \"ftp://a\" is not"
            ),
        ])
    func `the error of a setting names the group, the key and the remedy`(yaml: String, problem: String) throws {
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count { $0.contains(problem) } == 1, "\(problems)")
    }

    @Test func `a group with an error keeps its settings at a reload, and the others change`() throws {
        let fixture = try ConfigurationFixture("groups: {group.a: {budget: 1s}, group.b: {budget: 2s}}")
        let before = try fixture.load()
        try fixture.write("groups:\n  group.a: {budget: soon}\n  group.b: {budget: 3s}\n  group.c: {profile: tv}\n")
        #expect(throws: ConfigurationErrors.self) { try fixture.loader().load().get() }
        let after = try fixture.loader().load(keeping: before.groups).get()
        #expect(after.of(group: "group.a").budget == .seconds(1))
        #expect(after.of(group: "group.b").budget == .seconds(3))
        #expect(after.groups["group.c"] == nil)
        #expect(after.groups.invalid.keys.sorted() == ["group.a", "group.c"])
        #expect(
            try #require(after.groups.invalid["group.a"]?.first).contains("appgroupd.yaml:2: groups.group.a.budget"))
        #expect(before.difference(to: after).words == ["groups.group.b.budget is now 3s, was 2s"])
        #expect(before.reloaded(from: after).groups.invalid.count == 2)
    }

    /// Otherwise the group would run with the permissions and the credentials of all groups.
    @Test func `a new group with an error is not served, even if all groups are`() throws {
        let fixture = try ConfigurationFixture("groups: {open: true}")
        let before = try fixture.load()
        try fixture.write("groups: {open: true, group.new: {permissions: {service: false}, budgett: 1s}}")
        let served = try fixture.loader().load(keeping: before.groups).get().groups.served
        #expect(!served.contains(try #require(AppGroupName("group.new"))))
        #expect(served.contains(try #require(AppGroupName("group.other"))) && served.contains(.default))
    }

    @Test func `an error that concerns no single group is an error of the whole reload`() throws {
        let fixture = try ConfigurationFixture("groups: {group.a: {budget: 1s}}")
        let before = try fixture.load()
        try fixture.write("groups: {group.a: {budget: 1s}, open: maybe}")
        #expect(throws: ConfigurationErrors.self) { try fixture.loader().load(keeping: before.groups).get() }
    }

    @Test func `a difference names each changed setting of a group`() throws {
        let before = try ConfigurationFixture("groups: {group.a: {budget: 1s}, group.b: {}}").load()
        let after = try ConfigurationFixture("groups: {group.a: {profile: web}, group.c: {}, open: true}").load()
        #expect(
            before.difference(to: after).words == [
                "groups.open is now true, was false", "groups.group.b is now left out, was named",
                "groups.group.a.budget is now the value of all groups, was 1s",
                "groups.group.a.profile is now web, was the value of all groups",
                "groups.group.c is now named, was left out",
            ])
    }

    @Test func `a flag and a variable take precedence over the setting of a group`() throws {
        let fixture = try ConfigurationFixture("groups: {group.a: {budget: 1s, profile: web, locale: de}}")
        let configuration = try fixture.load(
            environment: ["APPGROUPD_PROFILE": "android"], flags: [FlagValue("--budget", "9s")])
        let a = configuration.of(group: "group.a")
        #expect(a.budget == .seconds(9) && a.profile == "android" && a.locale?.description == "de")
        #expect(throws: ConfigurationErrors.self) {
            try ConfigurationFixture("groups: {group.a: {budget: soon}}").load(flags: [FlagValue("--budget", "9s")])
        }
    }

    @Test func `a variable can contain a list of groups, or their settings`() throws {
        let list = try ConfigurationFixture().load(environment: ["APPGROUPD_GROUPS": "group.a, group.b"])
        #expect(list.groups.names == ["group.a", "group.b"])
        let settings = try ConfigurationFixture().load(environment: ["APPGROUPD_GROUPS": "{group.a: {budget: 3s}}"])
        #expect(settings.of(group: "group.a").budget == .seconds(3))
        #expect(try settings.text("groups") == #"{"open":false,"group.a":{"budget":"3s"}}"#)
    }

    @Test func `the tokens of a group permit only this group, and have names of their own`() throws {
        let hash = "sha256:" + String(repeating: "ab", count: 32)
        let token = "{name: gateway, hash: \"\(hash)\", scopes: [submit]}"
        let configuration = try ConfigurationFixture("groups: {group.a: {auth: {tokens: [\(token)]}}}").load()
        let own = try #require(configuration.tokens.first)
        #expect(
            configuration.tokens.count == 1 && configuration.auth.tokens.isEmpty && configuration.acceptsCredentials)
        #expect(own.caller.name == "group.a/gateway")
        #expect(own.caller.groups.names == ["group.a"])
    }

    /// The daemon's token belongs to the daemon's homeserver.
    @Test func `a group with its own homeserver does not use the token for another homeserver`() throws {
        let fixture = try ConfigurationFixture()
        let (daemon, own) = (try fixture.file("daemon", "syt_daemon"), try fixture.file("own", "syt_own"))
        try fixture.write(
            """
            matrix: {homeserver: https://a.example, tokenFile: \(daemon)}
            groups:
              group.a: {matrix: {homeserver: http://b.example}}
              group.b: {matrix: {homeserver: https://b.example, tokenFile: \(own)}}
              group.c: {budget: 1s}
            """)
        let configuration = try fixture.load()
        #expect(configuration.of(group: "group.a").matrix.tokenFile == nil)
        #expect(configuration.of(group: "group.b").matrix.tokenFile?.secret.value == "syt_own")
        #expect(configuration.of(group: "group.c").matrix.tokenFile?.secret.value == "syt_daemon")
    }

    @Test func `two groups with one client id are reported`() throws {
        let configuration = try ConfigurationFixture(
            "groups: {group.a: {sendios: {clientId: 7}}, group.b: {sendios: {clientId: 7}}, group.c: {}}"
        ).load()
        #expect(configuration.groups.warnings.count == 1)
        #expect(
            configuration.groups.warnings.first?.hasPrefix("group.a and group.b have the same sendios.clientId") == true
        )
    }

    @Test func `each key that a group can set can be changed by a reload`() {
        #expect(ConfigurationKey.forGroups.filter { !$0.isReloadable }.map(\.path) == [])
        #expect(ConfigurationKey.forGroups.count > 30)
    }
}
