import CCurl

/// Keeps a URL that libcurl has read up to what is asked for: of the next one at the same origin only the path and the
/// query are new, and to read all of it anew takes libcurl several times as long.
struct CurlAim {
    /// `https://cdn.example:8443`, of the last one.
    private var origin: [UInt8] = []

    /// - Parameters:
    ///   - address: as `JudgedURL` has it: absolute and ASCII, a slash behind the authority, no fragment.
    ///   - url: what the last one was taken into, and nothing else since.
    @safe mutating func take(_ address: String, _ url: OpaquePointer) -> CURLUcode {
        let bytes = address.utf8.span
        let start = Self.targetStart(bytes)
        guard start == origin.count, Self.has(bytes, origin.span), Self.isPlain(bytes, from: start) else {
            origin = []
            let code = unsafe curl_url_set(url, CURLUPART_URL, address, UInt32(CURLU_NON_SUPPORT_SCHEME))
            if code == CURLUE_OK { origin = Array(address.utf8.prefix(start)) }
            return code
        }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count - start + 1) { target in
            var query: UnsafeMutablePointer<CChar>?
            for index in start..<bytes.count {
                let isMark = unsafe bytes[index] == UInt8(ascii: "?") && query == nil
                unsafe target[index - start] = isMark ? 0 : CChar(bitPattern: bytes[index])
                if isMark { unsafe query = target.baseAddress.map { unsafe $0 + (index - start + 1) } }
            }
            unsafe target[bytes.count - start] = 0
            let code = unsafe curl_url_set(url, CURLUPART_PATH, target.baseAddress, 0)
            guard code == CURLUE_OK else { return code }
            return unsafe curl_url_set(url, CURLUPART_QUERY, query, 0)
        }
    }

    /// The slash behind the authority.
    private static func targetStart(_ bytes: Span<UInt8>) -> Int {
        var slashes = 0
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "/") {
            slashes += 1
            if slashes == 3 { return index }
        }
        return bytes.count
    }

    private static func has(_ bytes: Span<UInt8>, _ start: Span<UInt8>) -> Bool {
        guard start.count > 0, start.count < bytes.count else { return false }
        for index in 0..<start.count where bytes[index] != start[index] { return false }
        return true
    }

    /// Without percent signs: libcurl puts what follows them into lower case where it is given as a part.
    private static func isPlain(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        for index in start..<bytes.count where bytes[index] == UInt8(ascii: "%") || bytes[index] >= 0x80 {
            return false
        }
        return true
    }
}
