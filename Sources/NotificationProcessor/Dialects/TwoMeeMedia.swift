import Base
import NotificationModel

/// The files of a 2mee message. One file may be the message itself, and other files may be its masks.
///
/// A face, image, animation or video is one file, and the notification is a fallback without it. A face is a video
/// whose background is removed by a mask. The mask is an image, and it is never shown by itself.
struct TwoMeeMedia {
    private(set) var references: [MediaReference]
    /// Whether the message's kind needs a file, but none of the named files has a suitable format.
    private(set) var lacksMessage = false
    private(set) var problems: [PayloadProblem]

    init(_ message: TwoMeeMessage) {
        let node = message.node
        let (listed, unreadable) = Self.listed(message["urls"])
        let single = message.place.isPush ? [] : ["url", "holoPushUrl"].map { node[$0] }
        references = listed + single.compactMap { MediaReference($0) }
        problems = (unreadable + single.filter(Self.isNoURL)).map(Self.unreadable)
        switch message.kind {
        case .text: break
        case nil:
            lacksMessage = message.isUnreadable || references.isEmpty && !problems.isEmpty
            // A video beside a PNG is a face, even without a kind. Otherwise the message's file is unknown.
            let masks = references.indices.filter { format(at: $0) == .png }
            if let video = firstNamed(.video), !masks.isEmpty { require(video, masks: masks, mustBeVideo: true) }
        case .face, .image, .animation, .video:
            let isFirstUnreadable = unreadable.contains { $0.path == message["urls"][0].path }
            let file = file(of: message, isFirstUnreadable: isFirstUnreadable)
            let masks = message.kind == .face ? references.indices.filter { $0 != file } : []
            require(file, masks: masks, mustBeVideo: message.kind == .face)
            lacksMessage = file == nil
            if let file, let problem = disagreement(of: message.kind, with: file) { problems.append(problem) }
            if lacksMessage, problems.isEmpty { problems = [Self.missing(message)] }
        }
    }

    private mutating func require(_ file: Int?, masks: [Int], mustBeVideo: Bool) {
        if let file {
            references[file].isRequired = true
            references[file].mustBeVideo = mustBeVideo
        }
        for mask in masks { references[mask].role = .mask }
    }

    /// Returns the first file whose name fits the kind. If no name fits, the result is the file at the key that the
    /// sender's form has for the kind, or else the first file. A file with the name of an image is never the file of a
    /// face.
    private func file(of message: TwoMeeMessage, isFirstUnreadable: Bool) -> Int? {
        switch message.kind {
        case .face:
            let candidates = references.indices.filter { format(at: $0)?.kind != .image }
            let holo = message.node["holoPushUrl"].path
            return firstNamed(.video) ?? candidates.first { references[$0].path == holo }
                ?? (isFirstUnreadable ? nil : candidates.first)
        case .video: return firstNamed(.video) ?? first(unless: isFirstUnreadable)
        case .image: return firstNamed(.image) ?? first(unless: isFirstUnreadable)
        case .animation, .text, nil: return first(unless: isFirstUnreadable)
        }
    }

    /// Returns the problem of a file whose name does not fit the kind of the message. Its bytes decide how it is shown.
    private func disagreement(of kind: TwoMeeMessage.Kind?, with file: Int) -> PayloadProblem? {
        let wanted: MediaKind? = kind == .video ? .video : kind == .image ? .image : nil
        guard let wanted, let named = format(at: file)?.kind, named != wanted, let path = references[file].path else {
            return nil
        }
        return PayloadProblem(
            "2mee-kind-file", JSONNode(nil, path: path),
            "the kind is \(wanted == .video ? "video" : "image"), but the name of the file is that of another kind",
            fix: "Write the kind of the file, or the URL of a file of this kind")
    }

    private func first(unless isUnreadable: Bool) -> Int? { isUnreadable ? nil : references.indices.first }

    private func firstNamed(_ kind: MediaKind) -> Int? { references.indices.first { format(at: $0)?.kind == kind } }

    private func format(at index: Int) -> MediaFormat? { MediaFormat.named(fileOf: references[index].url) }

    /// Returns the URLs of a list, and the values in the list that are not URLs. A value that is not a list is returned
    /// among the values that are not URLs.
    private static func listed(_ urls: JSONNode) -> (references: [MediaReference], unreadable: [JSONNode]) {
        guard let value = urls.value, value != .null else { return ([], []) }
        guard value.array != nil else { return ([], [urls]) }
        return (urls.elements.compactMap { MediaReference($0) }, urls.elements.filter { $0.text == nil })
    }

    private static func isNoURL(_ node: JSONNode) -> Bool {
        guard let value = node.value, value != .null else { return false }
        return value.string == nil
    }

    private static func unreadable(_ node: JSONNode) -> PayloadProblem {
        let isList = node.path.steps.last == .key("urls")
        let what = node.string == "" && !isList ? "empty" : node.value?.typeName ?? "nothing"
        return PayloadProblem(
            "2mee-urls", node, "this is \(what), not \(isList ? "an array of URLs" : "a URL"), and is left out",
            fix: isList ? "Write an array of URLs in quotes" : "Write a URL in quotes")
    }

    private static func missing(_ message: TwoMeeMessage) -> PayloadProblem {
        let place = message["urls"]
        return PayloadProblem(
            "2mee-message-missing", place.exists ? place : message.node,
            "the message of the kind \(message.kind?.rawValue ?? "") has no URL of a \(message.kind == .face ? "video" : "file")",
            fix: "Add the URL of the file, or write the kind text")
    }
}
