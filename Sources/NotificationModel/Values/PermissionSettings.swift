/// A permission of a receiver by its name in envelopes, in stored settings, on the command line and in results.
package enum Permission: String, Sendable, CaseIterable {
    /// Whether the receiver gets notifications at all.
    case service
    /// Whether media may be downloaded for the receiver.
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

/// The permissions that one layer states, and the language of the receiver. A permission that is not stated is decided
/// by the next layer.
package struct PermissionSettings: Sendable, Equatable {
    /// The set of stated permissions, as bits for the disk.
    package private(set) var statedBits: UInt8 = 0
    /// The set of stated permissions that are true, as bits for the disk.
    package private(set) var trueBits: UInt8 = 0
    /// The receiver's language, as a tag like `de-AT` (BCP 47); `nil` if it is not stated.
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
