package import NotificationModel

/// The public URLs of all app groups.
package struct MediaURLTable: Sendable, Equatable {
    /// The URLs of the groups that have none of their own; `nil` if their renditions are not public.
    private let standard: MediaURLs?
    /// The URLs of the groups with their own settings; `nil` in it if the renditions of the group are not public.
    private let ofGroups: [AppGroupName: MediaURLs?]

    package init(_ standard: MediaURLs?, groups: [AppGroupName: MediaURLs?] = [:]) {
        self.standard = standard
        ofGroups = groups
    }

    package subscript(group: AppGroupName) -> MediaURLs? { ofGroups[group] ?? standard }

    /// Whether the renditions of no group are public.
    package var isEmpty: Bool { standard == nil && ofGroups.values.allSatisfy { $0 == nil } }
}
