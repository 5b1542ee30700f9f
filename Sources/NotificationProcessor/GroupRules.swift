import JSON
package import NotificationModel

/// The payload rules of all app groups. A reload replaces them together.
package struct GroupRules: Sendable {
    /// The rules of the groups that have no rules of their own.
    private var standard: PayloadRules
    private var ofGroups: [AppGroupName: PayloadRules]
    let served: ServedGroups

    package init(
        _ standard: PayloadRules, groups: [AppGroupName: PayloadRules] = [:], served: ServedGroups = .all
    ) {
        self.standard = standard
        ofGroups = groups
        self.served = served
    }

    package func rules(for group: AppGroupName) -> PayloadRules { ofGroups[group] ?? standard }

    /// Changes the defaults of the requests of all groups, for example to those of the flags of a command.
    package mutating func changeDefaults(_ change: (inout RequestDefaults) -> Void) {
        change(&standard.defaults)
        for group in ofGroups.keys { change(&ofGroups[group, default: standard].defaults) }
    }

    /// Returns the rules by which the envelope of a submission is read. The group must be known before the other keys,
    /// because it decides their defaults. The reader of the envelope refuses an unusable name.
    package func rules(for submission: Submission) -> PayloadRules {
        guard !ofGroups.isEmpty else { return standard }
        var group = submission.group
        if group == nil, EnvelopeKeys.isEnvelope(submission.object) {
            group = submission.object["appGroup"]?.string.flatMap { AppGroupName($0) }
        }
        return rules(for: group ?? standard.defaults.appGroup)
    }
}
