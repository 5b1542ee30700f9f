import Base
import LinuxIO
import NotificationModel
import ServiceConfiguration

extension FuzzTarget {
    private static let standard = Configuration(workers: 2)

    /// Reads a configuration file. The input is in a file in memory, because the loader reads files.
    static func configuration(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let file = try? AnonymousFile.createInMemory(),
            (try? FileSystem.write(bytes[...], to: file.descriptor)) != nil
        else { return }
        let path = "/proc/self/fd/\(file.descriptor)"
        switch ConfigurationLoader(file: path, environment: [:], defaults: standard).load() {
        case .failure(let errors):
            try require(!errors.lines.isEmpty, "a refused file has a problem")
        case .success(let loaded):
            let json = loaded.json
            try requireReadable(json, JSONWriter.bytes(of: json))
            try require(!loaded.rows.isEmpty, "a configuration has keys")
            try require(loaded.difference(to: loaded).isEmpty, "a configuration does not differ from itself")
        }
    }
}
