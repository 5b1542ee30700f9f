import Base
import NotificationModel

/// The paths at which payloads without a provider's format have their media, in the order of precedence.
struct MediaKeys: Sendable {
    /// The paths that common tutorials and small senders use.
    static let common = MediaKeys(KeyPathText.commonMediaKeys)

    private let keys: [(key: KeyPathText, needsURL: Bool)]
    private let firstSteps: KeyPathTrie

    init(_ keys: [KeyPathText]) {
        self.keys = keys.map { ($0, KeyPathText.mediaKeysOfURLs.contains($0)) }
        firstSteps = KeyPathTrie(keys)
    }

    /// Returns the paths that may have a value in a payload, in their order. If lookups are recorded, all paths are
    /// returned, because the record of a lookup is read even if the path has no value.
    private func candidates(in payload: JSONNode) -> [(key: KeyPathText, needsURL: Bool)] {
        payload.isRecorded ? keys : firstSteps.paths(in: payload.object).map { keys[$0] }
    }

    /// Finds the media at the first path that has any; `nil` if no path has media.
    ///
    /// - Parameter urlsOnly: Whether only absolute URLs are accepted, even at keys that accept any string.
    /// - Returns: The key, whether other senders use the key for other values, and the media.
    func find(
        in payload: JSONNode, platform: PushPlatform? = nil, urlsOnly: Bool = false
    ) -> (key: KeyPathText, needsURL: Bool, media: [MediaReference])? {
        let candidates = candidates(in: payload)
        for (key, needsURL) in candidates {
            let isStrict = urlsOnly || needsURL
            let media = key.nodes(in: payload).map(\.unrecorded).compactMap { node in
                isStrict ? MediaReference(webURL: node, platform: platform) : MediaReference(node, platform: platform)
            }
            if !media.isEmpty { return (key, needsURL, media) }
        }
        // If no key has media, a value of another type at such a key is probably a mistake, and is recorded.
        for (key, needsURL) in candidates where !needsURL {
            for node in key.nodes(in: payload) { _ = node.text }
        }
        return nil
    }
}

/// A prefix tree of the keys with which paths begin. It finds the paths that may have a value in a payload with one
/// lookup for each different key.
private struct KeyPathTrie: Sendable {
    /// The indices of the paths whose leading keys end here.
    private var paths: [Int] = []
    private var members: [(key: String, trie: KeyPathTrie)] = []

    init(_ paths: [KeyPathText]) {
        for (index, path) in paths.enumerated() { insert(index, path.steps[...]) }
    }

    private init() {}

    private mutating func insert(_ path: Int, _ steps: ArraySlice<KeyPathText.Step>) {
        guard case .key(let key)? = steps.first else { return paths.append(path) }
        let known = members.firstIndex { $0.key == key }
        if known == nil { members.append((key, KeyPathTrie())) }
        members[known ?? members.endIndex - 1].trie.insert(path, steps.dropFirst())
    }

    /// Returns the indices of the paths whose leading keys an object has, in ascending order.
    func paths(in object: JSONObject?) -> [Int] {
        var found: [Int] = []
        collect(in: object, &found)
        return found.sorted()
    }

    private func collect(in object: JSONObject?, _ found: inout [Int]) {
        guard let object else { return }
        for (key, trie) in members {
            guard let value = object[key] else { continue }
            found += trie.paths
            if !trie.members.isEmpty { trie.collect(in: value.object, &found) }
        }
    }
}

extension PushPayload {
    /// Puts the media of a provider's data before those of the message that contains the data. If none of them is an
    /// attachment, Firebase's image is added. Without Firebase's image, the media under common keys are added.
    mutating func put(_ own: [MediaReference], beside data: JSONNode, _ mediaKeys: MediaKeys) {
        media = own + media
        guard !media.contains(where: { $0.role == .attachment }) else { return }
        let image = MediaReference(webURL: data.guess("fcm_options").guess("image"))
        media += image.map { [$0] } ?? mediaKeys.find(in: data.unrecorded, urlsOnly: true)?.media ?? []
    }
}

extension MediaReference {
    /// Creates the media item for an absolute http or https URL, or for a `data:` URL. The result is `nil` for any
    /// other string, such as the name of a resource in the app.
    init?(webURL node: JSONNode, role: MediaRole = .attachment, platform: PushPlatform? = nil) {
        guard let url = node.text else { return nil }
        let reference = URIReference(url)
        let isOnWeb = ["https", "http"].contains(reference.scheme) && reference.authority != nil
        guard isOnWeb || InlineMedia.isReference(url) else { return nil }
        self.init(node, role: role, platform: platform)
    }
}
