import Glibc

/// Why the origin does not start.
package enum OriginStartError: Error, CustomStringConvertible {
    case folder(path: String, errno: Int32)
    case listen(host: String, port: Int, underlying: any Error)

    package var description: String {
        switch self {
        case .folder(let path, let errno):
            "the folder to serve, `\(path)`, cannot be opened: \(String(cString: strerror(errno)))"
        case .listen(let host, let port, let underlying): "cannot listen on \(host), port \(port): \(underlying)"
        }
    }
}
