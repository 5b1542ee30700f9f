import ServiceConfiguration
import Testing

@Suite struct UnknownKeyTests {
    @Test(
        arguments: [
            ("\n\nbudgett: 5s", "appgroupd.yaml:3: budgett is not a key; did you mean budget?"),
            ("Budget: 5s", "appgroupd.yaml:1: Budget is not a key; did you mean budget?"),
            ("socket_group: a", "appgroupd.yaml:1: socket_group is not a key; did you mean socketGroup?"),
            ("connectTimeout: 5s", "appgroupd.yaml:1: connectTimeout is not a key; did you mean fetch.connectTimeout?"),
            ("conectTimeout: 5s", "appgroupd.yaml:1: conectTimeout is not a key; did you mean fetch.connectTimeout?"),
            (
                "fetch.redirects: 5",
                "appgroupd.yaml:1: fetch.redirects is written with levels: write redirects below fetch"
            ),
            (
                "fetch:\n  allow-hosts: []",
                "appgroupd.yaml:2: fetch.allow-hosts is not a key; did you mean fetch.allowHosts?"
            ),
            ("fetch:\n  budget: 5s", "appgroupd.yaml:2: fetch.budget is not a key; did you mean budget?"),
            ("fetch:\n  fetch: {}", "appgroupd.yaml:2: fetch.fetch is not a key; the keys are "),
            ("fetsh: {}", "appgroupd.yaml:1: fetsh is not a key; did you mean fetch?"),
            ("log:\n  colour: no", "appgroupd.yaml:2: log.colour is not a key; the keys are level, format, console, "),
            ("<<: {budget: 5s}", "appgroupd.yaml:1: \"<<\" is not a key; the keys are "),
            ("\"a\\nb\": 1", "appgroupd.yaml:1: \"a\\nb\" is not a key; the keys are "),
            ("\"\": 1", "appgroupd.yaml:1: \"\" is not a key; the keys are "),
            ("config: x", "appgroupd.yaml:1: config is not a key; the keys are "),
        ])
    func `an unknown key is reported with the most similar key`(yaml: String, expected: String) throws {
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(expected) == true, "\(problems)")
    }

    @Test(
        arguments: [
            ("APPGROUPD_BUDGETT", "APPGROUPD_BUDGETT: there is no such variable; did you mean APPGROUPD_BUDGET?"),
            (
                "APPGROUPD_FETCH_ALLOWHOSTS",
                "APPGROUPD_FETCH_ALLOWHOSTS: there is no such variable; did you mean APPGROUPD_FETCH_ALLOW_HOSTS?"
            ),
            ("APPGROUPD_CONFIGG", "APPGROUPD_CONFIGG: there is no such variable; did you mean APPGROUPD_CONFIG?"),
            ("APPGROUPD_", "APPGROUPD_: there is no such variable"),
            ("APPGROUPD_\n", "\"APPGROUPD_\\n\": there is no such variable"),
        ])
    func `an unknown variable is reported with the most similar variable`(name: String, expected: String) throws {
        let problems = try ConfigurationFixture().problems(environment: [name: "5s"])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(expected) == true, "\(problems)")
        #expect(problems.first?.contains("\n") == false)
    }

    @Test func `variables of other programs are ignored`() throws {
        let environment = ["PATH": "/bin", "appgroupd_budget": "x", "APPGROUPD": "x", "XAPPGROUPD_BUDGET": "x"]
        #expect(try ConfigurationFixture().problems(environment: environment).isEmpty)
    }

    @Test func `an unknown flag is reported`() throws {
        let problems = try ConfigurationFixture().problems(flags: [FlagValue("--budgt", "5s")])
        #expect(problems == ["--budgt: there is no such flag; did you mean --budget?"])
    }

    @Test func `a key of a megabyte is reported in one line`() throws {
        let problems = try ConfigurationFixture("? \"" + String(repeating: "k", count: 500_000) + "\"\n: 1").problems()
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.count < 500 })
    }
}
