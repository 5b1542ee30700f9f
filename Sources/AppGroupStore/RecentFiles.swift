import NotificationModel

/// The files that were stored last, with the URLs from which their bytes come. The type does no I/O.
///
/// The index contains the URLs of a file only after its message was emitted. A purge before the emission finds the file
/// in this list.
struct RecentFiles {
    private static let most = 1_024

    private var files: [(group: AppGroupName, urls: [String], digests: [String])] = []

    mutating func add(_ assets: [StoredAsset], in group: AppGroupName, from origin: MediaOrigin) {
        guard !origin.urls.isEmpty else { return }
        files.append((group, origin.urls, assets.map(\.sha256)))
        if files.count >= 2 * Self.most { files.removeFirst(Self.most) }
    }

    /// Returns the digests of the files in a group that come from a purged URL.
    func digests(in group: AppGroupName, isPurged: (String) -> Bool) -> Set<String> {
        var digests: Set<String> = []
        for file in files where file.group == group && file.urls.contains(where: isPurged) {
            digests.formUnion(file.digests)
        }
        return digests
    }
}
