/// A value of all app groups, and the values of the groups that have their own.
package struct PerGroup<Value: Sendable>: Sendable {
    /// The value of the groups that have none of their own.
    package private(set) var standard: Value
    private var ofGroups: [AppGroupName: Value]

    package init(_ standard: Value, groups: [AppGroupName: Value] = [:]) {
        self.standard = standard
        ofGroups = groups
    }

    /// Whether no group has a value of its own.
    package var isUniform: Bool { ofGroups.isEmpty }

    package subscript(group: AppGroupName) -> Value { ofGroups[group] ?? standard }

    package mutating func changeAll(_ change: (inout Value) -> Void) {
        change(&standard)
        for group in ofGroups.keys { change(&ofGroups[group, default: standard]) }
    }
}
