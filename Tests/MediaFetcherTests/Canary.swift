import Glibc
import LinuxIO

/// A listener that says nothing and counts who connects.
struct Canary: ~Copyable, Sendable {
    private let listener: LoopbackListener

    /// - Parameter port: 0 for any that is free.
    init(at host: LoopbackAddress, port: UInt16 = 0) throws {
        listener = try LoopbackListener(at: host, port: port, waits: false)
    }

    var port: UInt16 { listener.port }

    /// Connections since this was last asked. Who has connected is in the listener's queue, also when it has left.
    func takeConnections() -> Int {
        var count = 0
        while true {
            let connection = accept(listener.descriptor.raw, nil, nil)
            if connection >= 0 {
                close(connection)
                count += 1
            } else if errno != EINTR && errno != ECONNABORTED {
                return count
            }
        }
    }
}
