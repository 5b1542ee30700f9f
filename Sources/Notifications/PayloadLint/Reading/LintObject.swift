import Base
package import NotificationModel

/// The position of an object in its file, with the positions of all values in it.
struct LintPlace {
    /// The path of the object in the top-level JSON value of the file. It is the root, or the index of an element.
    let path: JSONPath
    let outline: SourceOutline
    /// The positions of strings and keys that contain half of a surrogate pair.
    let loneSurrogates: [JSONPath]

    /// Returns the positions of the objects in a top-level value, which is one object or an array of objects.
    static func all(of value: SourceOutline, loneSurrogates: [JSONPath]) -> [LintPlace] {
        if value.elements.isEmpty { return [LintPlace(path: .root, outline: value, loneSurrogates: loneSurrogates)] }
        let surrogates = Dictionary(grouping: loneSurrogates) { $0.steps.first }
        return value.elements.enumerated().map { index, element in
            let step = JSONPath.Step.index(index)
            return LintPlace(path: JSONPath([step]), outline: element, loneSurrogates: surrogates[step] ?? [])
        }
    }
}

struct LintObject {
    let object: JSONObject
    let place: LintPlace

    var node: JSONNode { JSONNode(.object(object), path: place.path) }
    var byteCount: Int { place.outline.end - place.outline.start }

    /// Returns the offset of the value at a path, or else of the last value on the path.
    func offset(of path: JSONPath) -> Int {
        var place = place.outline
        for step in path.steps.dropFirst(self.place.path.steps.count) {
            switch step {
            case .key(let key):
                guard let member = place.members[key] else { return place.start }
                place = member
            case .index(let index):
                guard place.elements.indices.contains(index) else { return place.start }
                place = place.elements[index]
            case .embedded: return place.start
            }
        }
        return place.start
    }
}

/// A media item of a payload, with its position in the object of the file.
package struct LintMediaItem: Sendable {
    package let reference: MediaReference
    let path: JSONPath
    let url: MediaURL
    /// The dialect of the payload. Matrix has `mxc` references, and Home Assistant relative ones.
    package let dialect: DialectID?

    var isMatrix: Bool { dialect == "matrix" && url.scheme == "mxc" }
    /// Whether the reference is a path on the user's own Home Assistant server.
    var isAtHome: Bool {
        dialect == "homeassistant" && reference.url.hasPrefix("/") && !reference.url.hasPrefix("//")
    }

    /// Whether the URL has no mistake that prevents a fetch.
    var isFetchable: Bool { isMatrix || isAtHome || url.problem == nil && ["http", "https"].contains(url.scheme) }

    /// Whether a phone with an iOS profile shows the media item as an attachment.
    var isForPhones: Bool {
        guard reference.role == .attachment else { return false }
        return reference.platform == nil || reference.platform == .apns || reference.platform == .any
    }
}
