/// The results of recent lookups: all responses of a key, or the fact that it has none. The type does no I/O.
///
/// Keys are in two generations. A looked-up key moves to the young generation. When the young generation has half of
/// the limit, it replaces the old generation, whose keys are dropped. Recent keys are therefore kept without sorting.
struct RecentResponses {
    private struct Generation {
        var lists: [String: [CacheEntry]] = [:]
        var byteCount = 0
    }

    private let maxKeys: Int
    private let maxBytes: Int
    private var young = Generation()
    private var old = Generation()
    /// The keys of the cached responses, by their ids.
    private var keys: [String: String] = [:]

    /// - Parameter maxBytes: The approximate limit on the memory of headers, in bytes.
    init(maxKeys: Int = 4_096, maxBytes: Int = 8 << 20) {
        self.maxKeys = maxKeys
        self.maxBytes = maxBytes
    }

    var keyCount: Int { young.lists.count + old.lists.count }
    var idCount: Int { keys.count }
    var byteCount: Int { young.byteCount + old.byteCount }

    /// Returns the responses of a key; `nil` if the key is not cached.
    mutating func list(for key: String) -> [CacheEntry]? {
        if let list = young.lists[key] { return list }
        guard let list = old.lists[key] else { return nil }
        set(list, for: key)
        return list
    }

    func response(_ id: String) -> CacheEntry? {
        guard let key = keys[id] else { return nil }
        return (young.lists[key] ?? old.lists[key])?.first { $0.response.id == id }
    }

    /// Stores all responses of a key, newest first.
    mutating func set(_ list: [CacheEntry], for key: String) {
        forget(key)
        let cost = Self.cost(of: list, for: key)
        // One key must not evict all the others.
        guard cost <= maxBytes / 4 else { return }
        if young.lists.count >= maxKeys / 2 || young.byteCount + cost > maxBytes / 2 {
            for list in old.lists.values { forgetIDs(of: list) }
            old = young
            young = Generation()
        }
        young.lists[key] = list
        young.byteCount += cost
        for entry in list { keys[entry.response.id] = key }
    }

    /// Adds a response to the list of its key. If the key is not cached, nothing changes.
    mutating func insert(_ entry: CacheEntry) {
        remove(entry.response.id)
        guard var list = list(for: entry.response.key) else { return }
        let place = list.firstIndex { !CacheEntry.isBefore($0, entry) } ?? list.count
        list.insert(entry, at: place)
        set(Array(list.prefix(CacheIndex.maxOfKey)), for: entry.response.key)
    }

    mutating func remove(_ id: String) {
        guard let key = keys[id], let list = list(for: key) else { return }
        set(list.filter { $0.response.id != id }, for: key)
    }

    mutating func forget(_ key: String) {
        if let list = young.lists.removeValue(forKey: key) {
            young.byteCount -= Self.cost(of: list, for: key)
            forgetIDs(of: list)
        }
        if let list = old.lists.removeValue(forKey: key) {
            old.byteCount -= Self.cost(of: list, for: key)
            forgetIDs(of: list)
        }
    }

    mutating func forgetAll() { self = RecentResponses(maxKeys: maxKeys, maxBytes: maxBytes) }

    private mutating func forgetIDs(of list: [CacheEntry]) {
        for entry in list { keys[entry.response.id] = nil }
    }

    private static func cost(of list: [CacheEntry], for key: String) -> Int {
        list.reduce(128 + key.utf8.count) { $0 + $1.memoryByteCount }
    }
}
