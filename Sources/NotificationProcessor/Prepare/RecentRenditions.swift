import NotificationModel

/// Which renditions have been made lately, so that they are not made again: bounded, the oldest go first. Pure.
struct RecentRenditions {
    static let most = 4_096

    private var made: [RenditionService.Key: StoredRenditions] = [:]
    /// In the order of their coming.
    private var line: [RenditionService.Key] = []

    subscript(key: RenditionService.Key) -> StoredRenditions? { made[key] }

    mutating func insert(_ media: StoredRenditions, for key: RenditionService.Key) {
        if made.updateValue(media, forKey: key) == nil { line.append(key) }
        guard line.count > 2 * Self.most else { return }
        for old in line.prefix(Self.most) { made[old] = nil }
        line.removeFirst(Self.most)
    }
}
