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
