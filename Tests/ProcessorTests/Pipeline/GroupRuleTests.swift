import Base
import NotificationModel
import TestSupport
import Testing

@testable import NotificationProcessor

@Suite struct GroupRuleTests {
    private let group: AppGroupName
    private let rules: GroupRules

    init() throws {
        group = try #require(AppGroupName("group.a"))
        var own = PayloadRules()
        own.defaults.budget = .seconds(5)
        own.defaults.profile = .web
        rules = GroupRules(
            PerGroup(PayloadRules(), groups: [group: own]), served: ServedGroups(named: [group], isOpen: false))
    }

    private func submission(_ text: String, in group: AppGroupName? = nil) throws -> Submission {
        let now = SystemClock().reading
        return Submission(object: try #require(try JSONParser.value(of: text).object), arrival: now, group: group)
    }

    @Test(
        arguments: [
            (#"{"appGroup":"group.a","payload":{"aps":{}}}"#, false, "web"),
            (#"{"payload":{"aps":{}}}"#, true, "web"), (#"{"aps":{}}"#, true, "web"),
            (#"{"payload":{"aps":{}}}"#, false, "ios"),
            // A payload is no envelope, so its key does not name the group.
            (#"{"aps":{},"appGroup":"group.a"}"#, false, "ios"),
            (#"{"appGroup":"group.a/b","payload":{"aps":{}}}"#, false, "ios"),
            (#"{"appGroup":7,"payload":{"aps":{}}}"#, false, "ios"),
        ])
    func `the rules are those of the group that the submission names`(
        text: String, isOfSpool: Bool, profile: String
    ) throws {
        let found = rules.rules(for: try submission(text, in: isOfSpool ? group : nil))
        #expect(found.defaults.profile.name == profile)
    }

    @Test func `the defaults of a command apply to all groups`() throws {
        var rules = rules
        rules.changeDefaults { $0.locale = "de" }
        #expect(rules.rules(for: group).defaults.locale == "de")
        #expect(rules.rules(for: .default).defaults.locale == "de")
        #expect(rules.rules(for: group).defaults.profile == .web)
    }
}
