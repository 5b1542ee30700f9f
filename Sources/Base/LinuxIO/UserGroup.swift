import Glibc

/// The user groups of the system, by name or number.
package enum UserGroup {
    /// Returns the identifier of a group, by its name or number; `nil` if no group has the name.
    package static func identifier(of name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = unsafe group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let error = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        guard error == 0, unsafe found != nil else { return nil }
        return unsafe entry.gr_gid
    }
}

/// The users of the system, by name or number.
package enum SystemUser {
    /// Returns the identifiers of a user and of the user's first group; `nil` if the user does not exist. A number
    /// without an entry in the user database is a valid user, and its group has the same number.
    package static func identifiers(of name: String) -> (user: UInt32, group: UInt32)? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let number = UInt32(name)
        let error =
            if let number {
                unsafe getpwuid_r(number, &entry, &buffer, buffer.count, &found)
            } else {
                unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
            }
        guard error == 0, unsafe found != nil else { return number.map { ($0, $0) } }
        return unsafe (entry.pw_uid, entry.pw_gid)
    }

    /// Whether the calling process has the rights of root.
    package static var isRoot: Bool { geteuid() == 0 }
}
