import Base
package import FoundationEssentials
import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The pins: renditions that an operator keeps ready until a date. Pinned files are not evicted, and are served without
/// a request to the origin of their media item. RFC 9111 §4.2.4 leaves that decision to the operator of a cache.
extension AppGroupStore {
    /// The time for which the sum of pinned bytes is valid. Other processes also change pins.
    private static let sumMemory: Duration = .seconds(10)

    func refreshPins(of group: AppGroupName, from index: ContainerIndex) throws {
        let version = try index.dataVersion()
        if pins.withLock({ $0.isCurrent(group, dataVersion: version) }) {
            return pins.withLock { $0.confirm(group, at: .now) }
        }
        let keys = try index.pinnedKeys(atMost: PinDirectory.maxKeys)
        pins.withLock { $0.set(keys, of: group, dataVersion: version, at: .now) }
    }

    package func pin(
        _ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure) {
        switch try await tryPin(media, as: key, in: group, until: date) {
        case .pinned: return
        case .fileGone:
            throw MediaFailure(.storageFailed, "the file of the rendition was removed in the meantime: warm it again")
        case .noSpace:
            let pinQuota = pinQuota.withLock { $0 }
            throw MediaFailure(
                .storageFailed, "pins fill media.quota (\(pinQuota) bytes): pin less, or raise media.quota")
        }
    }

    package enum PinResult {
        case pinned
        /// The pins would exceed their quota.
        case noSpace
        /// A file was removed before it could be pinned.
        case fileGone
    }

    /// Pins renditions, and reports a full quota or a removed file as a result.
    ///
    /// - Throws: `storage-failed` if the index cannot be changed.
    package func tryPin(
        _ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure) -> PinResult {
        let pinQuota = pinQuota.withLock { $0 }
        do {
            let pinnedBytes = try await sumOfPins()
            try await DiskSpace.withFreeSpace(from: freeSpace) {
                // Other pins may have been written while this pin waited for the sum.
                let availableBytes = pinQuota - (pinSum?.bytes ?? pinnedBytes)
                let added = try withIndex(of: group) {
                    try $0.pin(media, as: key, until: date, availableBytes: availableBytes, at: now())
                }
                pinSum?.bytes += added
                pinCount?.note(added, in: group)
            }
            pins.withLock { $0.insert(key, in: group) }
            return .pinned
        } catch is ContainerIndex.FileGone {
            return .fileGone
        } catch is ContainerIndex.NoSpace {
            return .noSpace
        } catch {
            throw MediaFailure(.storageFailed, "the pin cannot be written to the index: \(error)")
        }
    }

    /// Returns the number of bytes that are pinned in all groups. Concurrent callers share one count.
    private func sumOfPins() async throws -> Int {
        if let sum = pinSum, sum.countedAt.advanced(by: Self.sumMemory) > .now { return sum.bytes }
        if let count = pinCount, count.generation == pinGeneration { return try await count.task.value }
        let generation = pinGeneration
        let task = Task { try await countPins(generation) }
        pinCount = PinCount(generation: generation, task: task)
        return try await task.value
    }

    private func countPins(_ generation: Int) async throws -> Int {
        defer { if pinCount?.generation == generation { pinCount = nil } }
        var bytes = 0
        let now = now()
        try await forEachGroup { group in
            if let usage = self.currentUsage(of: group), usage.firstPinEnd > now.timeIntervalSince1970 {
                bytes += usage.pinnedBytes
            } else {
                bytes += try await self.withLockedIndex(of: group) {
                    try self.readUsage(of: group, at: now).pinnedBytes
                }
            }
            if self.pinCount?.generation == generation { self.pinCount?.groups.insert(group) }
        }
        guard let count = pinCount, count.generation == generation, generation == pinGeneration else { return bytes }
        bytes += count.added
        pinSum = (bytes, .now)
        return bytes
    }

    /// Records that pins were removed, so that the next caller counts them again.
    func forgetPinSum() {
        pinSum = nil
        pinGeneration += 1
    }

    /// Changes the quota of pins.
    ///
    /// - Parameter quota: The maximum number of pinned bytes in all groups.
    package nonisolated func change(pinQuota quota: Int) { pinQuota.withLock { $0 = quota } }

    /// Releases the pins of a URL for all recipes.
    ///
    /// - Returns: The number of recipes that had a pin.
    package func unpin(_ url: String, in group: AppGroupName) throws -> Int {
        defer { pins.withLock { $0.forget(group) } }
        forgetPinSum()
        return try withIndex(of: group) { try $0.unpin(url) }
    }
}

extension AppGroupStore {
    /// Pins the stored renditions of some responses, for all recipes and in all groups. Existing pins of the URL get
    /// the new date too, even if their current date is later or their responses have been evicted.
    ///
    /// - Parameter ids: The ids of the responses.
    /// - Parameter url: The URL of their media item.
    /// - Returns: The number of recipes that are pinned until the date, summed over the groups.
    package func pinRenditions(
        ofResponses ids: [String], at url: String, until date: Date
    ) async throws(MediaFailure) -> Int {
        var count = 0
        forgetPinSum()
        try await forEachGroup { group throws(MediaFailure) in
            let found: [(recipe: RenditionRecipe, media: StoredRenditions)]
            let moved: Set<String>
            do {
                (found, moved) = try await self.withLockedIndex(of: group) {
                    try self.withIndex(of: group) { index in
                        // The dates of existing pins are set first, because `pin` never replaces a later date by an
                        // earlier one.
                        let moved = try index.movePins(of: url, to: date, at: self.now())
                        return (try ids.flatMap { try index.renditions(of: $0) }, moved)
                    }
                }
            } catch {
                throw MediaFailure(.storageFailed, "the index of \(group) cannot be changed: \(error)")
            }
            self.pins.withLock { $0.forget(group) }
            var recipes = moved
            // `pin` may have to count the pins of all groups, so this loop holds no index.
            for (recipe, media) in found where self.areThere(media.assets, in: group) {
                try await self.pin(media, as: PinKey(url: url, recipe: recipe), in: group, until: date)
                recipes.insert(recipe.key)
            }
            count += recipes.count
        }
        return count
    }

    /// Releases the pins of a URL in all groups.
    ///
    /// - Returns: The number of recipes that had a pin, summed over the groups.
    package func unpin(_ url: String) async throws(MediaFailure) -> Int {
        var count = 0
        do {
            try await forEachGroup { group in
                count += try await self.withLockedIndex(of: group) { try self.unpin(url, in: group) }
            }
        } catch {
            throw MediaFailure(.storageFailed, "an index cannot be changed: \(error)")
        }
        return count
    }
}

/// A running count of the bytes that are pinned in all groups.
struct PinCount {
    /// The value of `pinGeneration` when the count started.
    let generation: Int
    let task: Task<Int, any Error>
    /// The groups that this count has already read.
    var groups: Set<AppGroupName> = []
    /// The number of bytes that were pinned in a group after this count had read the group.
    var added = 0

    /// Adds bytes that were just pinned in a group. The bytes are ignored if the count has not read the group yet.
    mutating func note(_ bytes: Int, in group: AppGroupName) {
        if groups.contains(group) { added += bytes }
    }
}
