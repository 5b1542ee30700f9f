import CLinuxShims
import Glibc

/// A listening socket that a service manager opened for this process (socket activation, sd_listen_fds(3)).
///
/// The manager keeps its own descriptor of the socket. While no daemon runs, the kernel keeps new connections in the
/// queue of the socket, and the next daemon accepts them.
package struct PassedSocket: Sendable, Equatable {
    package enum Address: Sendable, Equatable {
        /// The path of a Unix socket. An abstract name begins with `@`.
        case path(String)
        case tcp(host: String, port: Int)
    }

    package let descriptor: Int32
    /// The name from the `FileDescriptorName=` of the socket's unit; `nil` if the manager passes no names.
    package let name: String?
    package let address: Address
}

/// The sockets that a service manager passes in the environment: `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.
package enum PassedSockets {
    /// The first descriptor that a manager passes (`SD_LISTEN_FDS_START`).
    package static let first: Int32 = 3
    /// The maximum number of descriptors. The daemon has a use for three.
    package static let most = 16

    /// A sentence about the descriptors that this program cannot use.
    package struct Refused: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// Returns the sockets that the environment passes to this process, and sets close-on-exec on each of them, so that
    /// no child process gets them. Returns none if the variables are missing, or are for another process.
    ///
    /// - Parameter environment: Returns the value of a variable; `nil` without the variable.
    /// - Throws: A sentence about a wrong variable, or about a descriptor that is no listening stream socket.
    package static func take(
        first: Int32 = first, processIdentifier: Int32 = getpid(),
        environment: (String) -> String? = { unsafe getenv($0).map { unsafe String(cString: $0) } }
    ) throws(Refused) -> [PassedSocket] {
        guard let owner = environment("LISTEN_PID"), let count = environment("LISTEN_FDS") else { return [] }
        guard let owner = Int32(owner) else { throw Refused(description: "LISTEN_PID is not a number: \(owner)") }
        guard owner == processIdentifier else { return [] }
        guard let count = Int32(count), (0...Int32(most)).contains(count) else {
            throw Refused(description: "LISTEN_FDS is \(count), and must be a number from 0 to \(most)")
        }
        let names = environment("LISTEN_FDNAMES").map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }
        if let names, names.count != Int(count) {
            throw Refused(
                description: "LISTEN_FDNAMES has \(names.count) names, and LISTEN_FDS passes \(count) descriptors")
        }
        // All descriptors are closed in child processes, also if one of them is refused.
        for number in first..<first + count where agd_close_on_exec(number) != 0 {
            throw Refused(description: "descriptor \(number) of LISTEN_FDS is not open")
        }
        var sockets: [PassedSocket] = []
        for (index, number) in (first..<first + count).enumerated() {
            sockets.append(try describe(number, names?[index]))
        }
        return sockets
    }

    private static func describe(_ descriptor: Int32, _ name: String?) throws(Refused) -> PassedSocket {
        var text = [CChar](repeating: 0, count: 256)
        var (family, port): (Int32, Int32) = (0, 0)
        let problem = unsafe agd_describe_listener(descriptor, &family, &text, text.count, &port)
        guard problem == 0 else {
            let place = "descriptor \(descriptor)" + (name.map { " (\($0))" } ?? "")
            throw Refused(description: "\(place) \(words(for: problem)): pass sockets with ListenStream=")
        }
        let place = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let address = family == AF_UNIX ? PassedSocket.Address.path(place) : .tcp(host: place, port: Int(port))
        return PassedSocket(descriptor: descriptor, name: name, address: address)
    }

    private static func words(for problem: Int32) -> String {
        switch problem {
        case agd_listener_no_stream: "is not a stream socket"
        case agd_listener_not_listening: "is not a listening socket (for example because of Accept=yes)"
        case agd_listener_other_family: "is neither a TCP nor a Unix socket"
        default: "is not a socket"
        }
    }
}
