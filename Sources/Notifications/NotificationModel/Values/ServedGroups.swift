import Base

/// The app groups whose requests a daemon accepts.
package struct ServedGroups: Sendable, Equatable {
    /// The groups that the configuration names, and the default group.
    package let named: Set<AppGroupName>
    /// Whether all other groups are served too.
    package let isOpen: Bool
    /// The groups that are not served although the others are.
    private let excluded: Set<AppGroupName>

    /// - Parameter named: The groups that the configuration names.
    /// - Parameter excluded: The groups that are not served. The default group is always served.
    package init(
        named: some Sequence<AppGroupName>, isOpen: Bool, without excluded: some Sequence<AppGroupName> = []
    ) {
        self.named = Set(named).union([.default])
        self.isOpen = isOpen
        self.excluded = Set(excluded).subtracting(self.named)
    }

    /// All groups, of which the configuration names none.
    package static let all = ServedGroups(named: [], isOpen: true)

    package func contains(_ group: AppGroupName) -> Bool {
        named.contains(group) || isOpen && !excluded.contains(group)
    }
}

/// The name of an app group: a directory below the root that one daemon fills and other processes read.
///
/// A name matches `[A-Za-z0-9.-]{1,128}` and does not start with a dot, so it is always a plain file name. A name does not
/// end like a file that the daemon creates in its root.
package struct AppGroupName: Sendable, Hashable, CustomStringConvertible {
    package static let `default` = AppGroupName(unchecked: "group.default")

    package let description: String

    /// The endings of the daemon's own files, in small letters.
    package static let reservedEndings = [".sock", ".sqlite", ".lock"]

    package init?(_ name: String) {
        guard Self.isPlain(name), !Self.hasReservedEnding(name) else { return nil }
        description = name
    }

    private static func isPlain(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || ".-".utf8.contains($0) }
    }

    /// Whether a name would be that of a group, but for its ending.
    package static func hasReservedEnding(_ name: String) -> Bool {
        isPlain(name) && reservedEndings.contains { name.lowercased().hasSuffix($0) }
    }

    private init(unchecked name: String) { description = name }
}

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
