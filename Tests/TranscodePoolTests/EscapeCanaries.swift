import EscapeCalls
import Foundation
import Glibc
import LinuxIO
import TestSupport
import Testing

/// The targets that a worker could reach outside of its sandbox: a directory with a file, a port, and the test's
/// process.
struct EscapeCanaries {
    private static let contents = "secret"

    let directory: TemporaryDirectory
    private let listener: Listener

    init() throws {
        agd_count_signals()
        directory = try TemporaryDirectory()
        listener = try Listener()
        try FileSystem.replace(directory.path + "/canary", with: Array(Self.contents.utf8))
    }

    /// Returns a worker that tries an escape at its first start, and is the real worker at every later start.
    func worker(_ way: String) throws -> FakeWorker {
        try FakeWorker([
            "exec \(BuiltProducts.path(of: "escaping-worker")) '\(way)' \(directory.path) \(try listener.port) \"$@\""
        ])
    }

    /// Checks that no target was created, removed, renamed, changed, connected to or signaled.
    func checkUntouched() throws {
        let manager = FileManager.default
        #expect(try manager.contentsOfDirectory(atPath: directory.path) == ["canary"])
        let canary = directory.path + "/canary"
        #expect(try String(contentsOfFile: canary, encoding: .utf8) == Self.contents)
        #expect(try manager.attributesOfItem(atPath: canary)[.posixPermissions] as? Int != 0o777)
        #expect(!manager.fileExists(atPath: "/tmp/appgroupd-canary"))
        #expect(!listener.hasConnection)
        #expect(agd_counted_signals() == 0)
    }

    /// A TCP socket that listens on the loopback interface.
    private final class Listener: Sendable {
        private let descriptor: Int32

        init() throws {
            let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            descriptor = try OwnedDescriptor.adopt(socket(AF_INET, Int32(type), 0), from: "socket").release()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let result = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0 && listen(descriptor, 8) == 0)
        }

        deinit { close(descriptor) }

        var port: UInt16 {
            get throws {
                var address = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let result = withUnsafeMutablePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
                }
                try #require(result == 0)
                return UInt16(bigEndian: address.sin_port)
            }
        }

        var hasConnection: Bool { accept(descriptor, nil, nil) != -1 || errno != EAGAIN }
    }
}
