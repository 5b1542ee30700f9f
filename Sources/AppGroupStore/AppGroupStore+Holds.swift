package import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel
import Primitives

/// The files of named messages, which are shown long after their request. Their leases are extended by their paths.
extension AppGroupStore: FileHolding {
    package func hold(_ paths: [String], in group: AppGroupName, until date: Date) async -> Bool {
        guard !paths.isEmpty else { return true }
        do {
            let areHeld = try withIndex(of: group) { try $0.hold(paths, until: Self.endOfHold(until: date)) }
            // The leases are written first, so that eviction does not remove a file that has passed this check.
            return areHeld && paths.allSatisfy { FileSystem.size(of: "\(root)/\(group)/\($0)") != nil }
        } catch {
            warnings.report("hold", "files in the index of \(group) cannot be leased: \(error)")
            return false
        }
    }
}

extension ContainerIndex {
    /// Extends the leases of files. A lease is never shortened.
    ///
    /// - Returns: `false` if a file has no row.
    func hold(_ paths: [String], until date: Date) throws -> Bool {
        try database.write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE asset SET heldUntil = max(heldUntil, ?) WHERE sha256 = ? AND path = ?")
            var areHeld = true
            for path in paths {
                // The name of a file is the digest of its bytes, which is the key of its row.
                let digest = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
                try statement.execute(arguments: [Int(Self.seconds(of: date)), digest, path])
                areHeld = areHeld && database.changesCount > 0
            }
            return areHeld
        }
    }
}
