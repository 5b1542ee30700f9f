import JSON
package import LinuxIO
package import NotificationModel

/// The erasure of files that wait in `incoming/` or were rejected. Claimed files are requests without a result, which
/// the coordinator cancels.
package struct SpoolErasure: Erasable {
    package static var erasedPlaces: [String] { ["incoming", "claimed", "rejected"] }

    private let root: String
    private let loop: EventLoop
    /// The size up to which a file is searched, in bytes. A larger file is no request.
    private let mostBytes: Int

    /// - Parameter loop: The thread of the files.
    package init(root: String, on loop: EventLoop, mostBytes: Int) {
        (self.root, self.loop, self.mostBytes) = (root, loop, mostBytes)
    }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        guard step.isLast else { return counts }
        for directory in ["incoming", "rejected"] {
            let path = "\(root)/\(step.target.group)/\(directory)"
            let names = await loop.perform { (try? FileSystem.names(in: path)) ?? [] }
            for name in names where name.hasSuffix(".json") && !name.hasSuffix(".error.json") {
                // The thread does other work between two files.
                do throws(SystemError) {
                    counts.spoolFiles += try await loop.perform { () throws(SystemError) in
                        try erase(name, in: path, step)
                    }
                } catch {
                    throw MediaFailure(.storageFailed, "\(directory)/\(name) cannot be removed: \(error)")
                }
            }
        }
        return counts
    }

    /// Removes a file that concerns the target, with the file that says why it was rejected.
    ///
    /// - Returns: The number of removed files.
    private func erase(_ name: String, in directory: String, _ step: ErasureStep) throws(SystemError) -> Int {
        let stem = String(name.dropLast(".json".count))
        let isNamed = step.target.kind == .id && stem == step.target.name
        guard isNamed || step.target.kind == .group || concerns("\(directory)/\(name)", step) else { return 0 }
        var count = 0
        for file in [name, stem + ".error.json"] {
            do throws(SystemError) {
                try FileSystem.remove("\(directory)/\(file)")
                count += 1
            } catch  where error.isNoSuchFile {}
        }
        return count
    }

    private func concerns(_ path: String, _ step: ErasureStep) -> Bool {
        guard let bytes = try? FileSystem.contents(ofRegularFile: path, atMost: mostBytes) else { return false }
        guard let value = try? JSONParser.value(of: bytes) else {
            // A rejected file may be no JSON at all.
            let names = step.target.kind == .recipient ? step.receiverNames : [step.target.name]
            return names.contains { !$0.isEmpty && bytes.contains(Array($0.utf8)) }
        }
        return step.concerns(value)
    }
}
