import Digests
package import Foundation
package import LinuxIO
import NotificationModel

/// The directory of bodies and results that are too large for a row of the journal. Each value is one file, which is
/// durable before its row.
///
/// A transaction of megabytes would delay the commits of all other callers. A name is never used twice. A file that no
/// row names was left by a killed daemon, and is removed at the next start. All calls block.
package struct ValueFiles: Sendable {
    /// The size up to which a value is stored in its row, in bytes. A longer value is a file.
    package static let threshold = 64 << 10

    let directory: String

    /// Creates the directory if it does not exist, and makes its name durable.
    func prepare() throws(SystemError) {
        guard try FileSystem.makeDirectory(directory) else { return }
        try FileSystem.syncDirectory(directory + "/..")
    }

    /// Writes a file, its name and then its directory durably, and returns the name.
    func store(_ bytes: [UInt8]) throws(SystemError) -> String {
        let name =
            String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileSystem.create("\(directory)/\(name)", in: directory, with: bytes)
        try FileSystem.syncDirectory(directory)
        return name
    }

    package func bytes(of name: String) throws(SystemError) -> [UInt8] {
        try FileSystem.contents(of: "\(directory)/\(name)")
    }

    /// Returns the template in a file; `nil` if the file cannot be read.
    func template(_ name: String) -> SharedTemplate? {
        guard let bytes = try? bytes(of: name) else { return nil }
        return SharedTemplate(name: name, bytes: bytes, digest: SHA256.hash(bytes))
    }

    /// Removes files. The removal need not be durable: a file that returns after a power cut has no row.
    func remove(_ names: [String]) {
        for name in names { try? FileSystem.remove("\(directory)/\(name)") }
    }

    /// Removes all files that no row names.
    func sweep(keeping named: Set<String>) throws(SystemError) {
        remove(try FileSystem.names(in: directory).filter { !named.contains($0) })
    }
}

/// A value in a row, or the name of its file.
package enum StoredValue: Sendable {
    case bytes([UInt8])
    case file(String)

    package init?(_ bytes: Data?, _ file: String?) {
        if let file { self = .file(file) } else if let bytes { self = .bytes(Array(bytes)) } else { return nil }
    }
}
