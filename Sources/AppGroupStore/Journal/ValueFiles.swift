import LinuxIO

/// The folder of bodies and results that are too large for a row of the journal: one file each, durable before its row.
///
/// A transaction that carried megabytes would delay the commits of all other callers. Names are never used twice. A file
/// that no row names was left by a daemon that was killed, and is removed at the next start. All calls block.
struct ValueFiles: Sendable {
    /// Bytes; a longer value is a file.
    static let threshold = 64 << 10

    let directory: String

    /// Makes the folder if it does not exist, durably.
    func prepare() throws(SystemError) {
        guard try FileSystem.makeDirectory(directory) else { return }
        try FileSystem.syncDirectory(directory + "/..")
    }

    /// Writes a file: bytes, then name, then folder, each synced before the next.
    ///
    /// - Returns: its name.
    func store(_ bytes: [UInt8]) throws(SystemError) -> String {
        let name =
            String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileSystem.create("\(directory)/\(name)", in: directory, with: bytes)
        try FileSystem.syncDirectory(directory)
        return name
    }

    func bytes(of name: String) throws(SystemError) -> [UInt8] { try FileSystem.contents(of: "\(directory)/\(name)") }

    /// Removes files. The removal need not be durable: a file that is back after a power cut has no row.
    func remove(_ names: [String]) {
        for name in names { try? FileSystem.remove("\(directory)/\(name)") }
    }

    /// Removes all files but those that rows name.
    func sweep(keeping named: Set<String>) throws(SystemError) {
        remove(try FileSystem.names(in: directory).filter { !named.contains($0) })
    }
}
