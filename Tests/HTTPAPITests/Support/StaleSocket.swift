import Glibc

/// The socket file that a killed daemon leaves.
enum StaleSocket {
    struct Failure: Error {
        var errno: Int32
    }

    static func make(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { list in
                list.baseAddress.map { bind(descriptor, $0, socklen_t(bytes.count)) } ?? -1
            }
        }
        guard result == 0 else { throw Failure(errno: errno) }
    }
}
