import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of the key `twomee.presentationWhen`, and of the errors in it.
@Suite struct PresentationRuleKeyTests {
    private func problems(_ yaml: String) throws -> [String] { try ConfigurationFixture(yaml).problems() }

    @Test(arguments: [
        (
            "twomee: {presentationWhen: {dark: {headPosition: left}}}",
            "twomee.presentationWhen.dark.headPosition: \"left\" is not one of top-left, "
        ),
        (
            "twomee: {presentationWhen: {dark: {colour: red}}}",
            "twomee.presentationWhen.dark: colour is not a key; the keys are dismissTime, "
        ),
        (
            "twomee: {presentationWhen: {\"a..b == c\": {}}}",
            "twomee.presentationWhen.\"a..b == c\": \"a..b == c\", character 3: a key is missing"
        ),
        ("twomee: {presentationWhen: [dark]}", "twomee.presentationWhen: is a list: it must be a mapping of values, "),
    ])
    func `an error in a presentation names its place and the value`(yaml: String, problem: String) throws {
        let problems = try problems(yaml)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix("appgroupd.yaml:1: " + problem) == true, "\(problems)")
    }

    @Test func `a long name is shortened in the message`() throws {
        let name = String(repeating: "x", count: 1_000)
        let found = try problems("twomee: {presentationWhen: {\(name): {a: b}}}")
        #expect(found.count == 1 && found.allSatisfy { $0.count < 400 })
    }

    private func problemCount(_ count: Int) throws -> Int {
        let rules = (0..<count).map { "v\($0): {}" }.joined(separator: ", ")
        return try problems("twomee: {presentationWhen: {\(rules)}}").count
    }

    @Test func `more than a hundred presentations are refused`() throws {
        #expect(try problemCount(100) == 0)
        #expect(try problemCount(101) == 1)
    }

    @Test func `the presentations of the vendor's example are read in their order`() throws {
        let yaml = """
            twomee:
              presentationWhen:
                dark: {faceBackgroundColor: "#000000CC"}
                theme == quiet: {dismissTime: none}
            """
        let rules = try ConfigurationFixture(yaml).load().twoMee.presentationRules
        #expect(rules.map(\.name) == ["dark", "theme == quiet"])
        #expect(rules[0].changes.faceBackgroundColor == "#000000cc" && rules[0].changes.dismissTime == nil)
        #expect(rules[1].changes.dismissTime == .some(nil))
    }
}
