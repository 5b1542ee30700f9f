/// Why the server does not listen.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case nothingToListenOn
    case notLoopback(host: String)
    /// Somebody listens on the socket already.
    case socketInUse(path: String)
    /// `step` is what failed, `problem` the system's own words.
    case socket(path: String, step: String, problem: String)
    case listen(host: String, port: Int, problem: String)

    package var description: String {
        switch self {
        case .nothingToListenOn: "there is neither an address nor a socket to listen on: name one of them"
        case .notLoopback(let host):
            "\(host) is reached from other machines, and there is no authentication yet: listen on 127.0.0.1, [::1] or "
                + "localhost"
        case .socketInUse(let path): "somebody listens on \(path) already: end that daemon, or name another socket"
        case .socket(let path, let step, let problem): "cannot listen on \(path): \(step): \(problem)"
        case .listen(let host, let port, let problem): "cannot listen on \(host), port \(port): \(problem)"
        }
    }
}
