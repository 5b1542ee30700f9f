/// Why the daemon cannot be spoken to.
package enum DaemonClientError: Error, Equatable, CustomStringConvertible {
    case noSocket(path: String)
    /// The file is there, and its daemon is not.
    case nobodyListens(path: String)
    case notPermitted(path: String)
    case unreachable(path: String, problem: String)
    /// The connection ended before the answer did, or what came is no HTTP.
    case broken(path: String, problem: String)
    case answerTooLarge(path: String)
    /// Another answer than a stream. The body is for people to read, or a problem.
    case refused(status: Int, body: [UInt8])

    package var description: String {
        switch self {
        case .noSocket(let path): "there is no daemon at \(path): start it with serve, or name its socket with --socket"
        case .nobodyListens(let path): "nobody listens on \(path): its daemon has ended; start it with serve"
        case .notPermitted(let path): "\(path) may not be used by this user: ask as the daemon's user or as root"
        case .unreachable(let path, let problem): "cannot connect to \(path): \(problem)"
        case .broken(let path, let problem): "the daemon at \(path) did not answer in full: \(problem)"
        case .answerTooLarge(let path): "the answer of the daemon at \(path) is too large"
        case .refused(let status, let body): "the daemon answered \(status): \(String(decoding: body, as: UTF8.self))"
        }
    }
}
