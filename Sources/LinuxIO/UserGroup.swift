import Glibc

/// Groups of users, by name or number.
package enum UserGroup {
    /// - Returns: `nil` where there is no group of the name, and it is no number either.
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

/// Users, by name or number.
package enum SystemUser {
    /// - Returns: the numbers of the user and of its first group; `nil` when there is no such user. A number needs no entry
    ///   in the list of users, and is its own group then.
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
