import NotificationModel

/// Which renditions have been made lately, so that they are not made again: bounded, the oldest go first. Pure.
struct RecentRenditions {
    static let most = 4_096

    private var made: [RenditionMaker.Recipe: KeptMedia] = [:]
    /// In the order of their coming.
    private var line: [RenditionMaker.Recipe] = []

    subscript(recipe: RenditionMaker.Recipe) -> KeptMedia? { made[recipe] }

    mutating func insert(_ media: KeptMedia, for recipe: RenditionMaker.Recipe) {
        if made.updateValue(media, forKey: recipe) == nil { line.append(recipe) }
        guard line.count > 2 * Self.most else { return }
        for old in line.prefix(Self.most) { made[old] = nil }
        line.removeFirst(Self.most)
    }
}
