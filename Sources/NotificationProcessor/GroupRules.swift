import JSON
package import NotificationModel

/// The payload rules of all app groups. A reload replaces them together.
package struct GroupRules: Sendable {
    private var rules: PerGroup<PayloadRules>
    let served: ServedGroups

    package init(_ rules: PerGroup<PayloadRules>, served: ServedGroups = .all) {
        self.rules = rules
        self.served = served
    }

    /// Creates the same rules for all groups.
    package init(_ rules: PayloadRules) { self.init(PerGroup(rules)) }

    package func rules(for group: AppGroupName) -> PayloadRules { rules[group] }

    /// Changes the defaults of the requests of all groups, for example to those of the flags of a command.
    package mutating func changeDefaults(_ change: (inout RequestDefaults) -> Void) {
        rules.changeAll { change(&$0.defaults) }
    }

    /// Returns the rules by which the envelope of a submission is read. The group must be known before the other keys,
    /// because it decides their defaults. The reader of the envelope refuses an unusable name.
    package func rules(for submission: Submission) -> PayloadRules {
        guard !rules.isUniform else { return rules.standard }
        var group = submission.group
        if group == nil, EnvelopeKeys.isEnvelope(submission.object) {
            group = AppGroupName(named: submission.object)
        }
        return rules[group ?? rules.standard.defaults.appGroup]
    }
}
