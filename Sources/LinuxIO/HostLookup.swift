import Glibc

/// Names and addresses, as the machine's resolver knows them. Blocks for as long as the resolver takes.
package enum HostLookup {
    /// How many addresses a name has.
    ///
    /// - Throws: the resolver's words.
    package static func addressCount(of name: String) throws(ResolverError) -> Int {
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(name, nil, nil, &list)
        guard code == 0 else { throw ResolverError(code: code) }
        defer { unsafe freeaddrinfo(list) }
        var count = 0
        var next = unsafe list
        while let entry = unsafe next {
            count += 1
            unsafe next = entry.pointee.ai_next
        }
        return count
    }
}

package struct ResolverError: Error, Sendable, Equatable, CustomStringConvertible {
    package let code: Int32

    package var description: String {
        guard let text = unsafe gai_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
