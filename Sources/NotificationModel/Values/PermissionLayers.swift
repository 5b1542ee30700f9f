/// The settings of all layers that decide the permissions of one request: its envelope, its receiver, its app group and
/// the daemon, in this order.
package struct PermissionLayers: Sendable, Equatable {
    package var envelope = PermissionSettings()
    package var recipient = PermissionSettings()
    package var group = PermissionSettings()
    /// The permissions if no other layer states them. The network that is assumed is that of the envelope if the
    /// envelope names one.
    package var daemon = Permissions()
    /// The receiver's language if no other layer states one.
    package var daemonLocale: String?
    /// Whether the envelope marks the request as critical. Then only `service` is looked up in the layers, and every
    /// other permission has its most permissive value.
    package var isCritical = false

    package init() {}

    /// Returns the value of a permission and the layer that decides it.
    package func decision(on permission: Permission) -> (value: Bool, rule: PermissionRule) {
        if isCritical, permission != .service { return (Permissions()[permission], .envelope) }
        if let value = envelope[permission] { return (value, .envelope) }
        if let value = recipient[permission] { return (value, .recipient) }
        if let value = group[permission] { return (value, .group) }
        return (daemon[permission], .daemon)
    }

    /// The permissions by all layers.
    package var permissions: Permissions {
        // Most requests state no permission at all.
        guard isCritical || envelope.statedBits | recipient.statedBits | group.statedBits != 0 else { return daemon }
        var permissions = daemon
        for permission in Permission.allCases { permissions[permission] = decision(on: permission).value }
        return permissions
    }

    /// The receiver's language by all layers; `nil` if none states one.
    package var locale: String? { envelope.locale ?? recipient.locale ?? group.locale ?? daemonLocale }
}
