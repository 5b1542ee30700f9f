/// A permission of a recipient by its name in envelopes, in stored settings, on the command line and in results.
package enum Permission: String, Sendable, CaseIterable {
    /// Whether the recipient gets notifications at all.
    case service
    /// Whether media may be downloaded for the recipient.
    case download
    /// Whether media may be downloaded on Wi-Fi only.
    case wifiOnly
    case alert
    case badge
    case sound
    /// Whether the system delivers notifications quietly until the user decides.
    case provisional

    /// The bit of the permission in ``PermissionSettings``. The bits are stored on the disk.
    fileprivate var bit: UInt8 {
        switch self {
        case .service: 1
        case .download: 2
        case .wifiOnly: 4
        case .alert: 8
        case .badge: 16
        case .sound: 32
        case .provisional: 64
        }
    }
}

extension Permissions {
    package subscript(permission: Permission) -> Bool {
        get {
            switch permission {
            case .service: service
            case .download: download
            case .wifiOnly: wifiOnly
            case .alert: alert
            case .badge: badge
            case .sound: sound
            case .provisional: provisional
            }
        }
        set {
            switch permission {
            case .service: service = newValue
            case .download: download = newValue
            case .wifiOnly: wifiOnly = newValue
            case .alert: alert = newValue
            case .badge: badge = newValue
            case .sound: sound = newValue
            case .provisional: provisional = newValue
            }
        }
    }
}

/// The layer of settings that decides a permission, as results name it. The first layer that states the permission
/// decides it.
package enum PermissionRule: String, Sendable, CaseIterable {
    case envelope
    case recipient
    case group
    case daemon
}

/// The permissions that one layer states, and the language of the recipient. A permission that is not stated is decided
/// by the next layer.
package struct PermissionSettings: Sendable, Equatable {
    /// The set of stated permissions, as bits for the disk.
    package private(set) var statedBits: UInt8 = 0
    /// The set of stated permissions that are true, as bits for the disk.
    package private(set) var trueBits: UInt8 = 0
    /// The recipient's language, as a tag like `de-AT` (BCP 47); `nil` if it is not stated.
    package var locale: String?

    package init() {}

    /// Creates settings from the bits of another value.
    package init(statedBits: UInt8, trueBits: UInt8, locale: String?) {
        self.statedBits = statedBits
        self.trueBits = trueBits & statedBits
        self.locale = locale
    }

    /// The value of a permission; `nil` if it is not stated.
    package subscript(permission: Permission) -> Bool? {
        get { statedBits & permission.bit == 0 ? nil : trueBits & permission.bit != 0 }
        set {
            statedBits = newValue == nil ? statedBits & ~permission.bit : statedBits | permission.bit
            trueBits = newValue == true ? trueBits | permission.bit : trueBits & ~permission.bit
        }
    }

    package var isEmpty: Bool { statedBits == 0 && locale == nil }
}

/// The settings of all layers that decide the permissions of one request: its envelope, its recipient, its app group and
/// the daemon, in this order.
package struct PermissionLayers: Sendable, Equatable {
    package var envelope = PermissionSettings()
    package var recipient = PermissionSettings()
    package var group = PermissionSettings()
    /// The permissions if no other layer states them. The network that is assumed is that of the envelope if the
    /// envelope names one.
    package var daemon = Permissions()
    /// The recipient's language if no other layer states one.
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

    /// The recipient's language by all layers; `nil` if none states one.
    package var locale: String? { envelope.locale ?? recipient.locale ?? group.locale ?? daemonLocale }
}

/// The app groups that a caller may use.
package enum GroupPermission: Sendable, Equatable {
    case all
    case only(Set<AppGroupName>)

    /// Creates a permission from names. The name `*` stands for all groups. Texts that are no names of groups permit
    /// nothing.
    package init(names: some Sequence<String>) {
        let names = Set(names)
        self = names.contains("*") ? .all : .only(Set(names.compactMap { AppGroupName($0) }))
    }

    /// The names from which `init(names:)` makes the permission, in order.
    package var names: [String] { listed?.map(\.description) ?? ["*"] }

    /// The groups; `nil` if all groups are permitted.
    package var listed: [AppGroupName]? {
        switch self {
        case .all: nil
        case .only(let groups): groups.sorted { $0.description < $1.description }
        }
    }

    package func contains(_ group: AppGroupName) -> Bool {
        switch self {
        case .all: true
        case .only(let groups): groups.contains(group)
        }
    }
}
