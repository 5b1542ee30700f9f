import JSON
package import NotificationModel

/// The place of an object in its file, with the places of all that is in it.
struct LintPlace {
    /// Of the object in the JSON value that has it: that value itself, or an element of it.
    let path: JSONPath
    let outline: SourceOutline
    /// Strings with half of a surrogate pair in them.
    let loneSurrogates: [JSONPath]

    /// A value of a file is one object, or an array of them.
    static func all(of value: SourceOutline, loneSurrogates: [JSONPath]) -> [LintPlace] {
        if value.elements.isEmpty { return [LintPlace(path: .root, outline: value, loneSurrogates: loneSurrogates)] }
        let surrogates = Dictionary(grouping: loneSurrogates) { $0.steps.first }
        return value.elements.enumerated().map { index, element in
            let step = JSONPath.Step.index(index)
            return LintPlace(path: JSONPath([step]), outline: element, loneSurrogates: surrogates[step] ?? [])
        }
    }
}

/// One object of a file.
struct LintObject {
    let object: JSONObject
    let place: LintPlace

    var node: JSONNode { JSONNode(.object(object), path: place.path) }
    var byteCount: Int { place.outline.end - place.outline.start }

    /// Where a path's last step that is there begins.
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

/// One medium of a payload, with its place in the file's object.
package struct LintMedium: Sendable {
    package let reference: MediaReference
    let path: JSONPath
    let url: MediaURL
    /// Of the payload. Matrix's references have a scheme of their own, and Home Assistant's may be relative.
    package let dialect: DialectID?

    /// A scheme of its own, `mxc`.
    var isMatrix: Bool { dialect == "matrix" && url.scheme == "mxc" }
    /// To the house's own server.
    var isAtHome: Bool {
        dialect == "homeassistant" && reference.url.hasPrefix("/") && !reference.url.hasPrefix("//")
    }

    /// No rule has anything against its URL.
    var isFetchable: Bool {
        isMatrix || isAtHome || url.problem == nil && ["http", "https"].contains(url.scheme)
    }

    /// A phone with an iOS profile shows it as an attachment.
    var isForPhones: Bool {
        guard reference.role == .attachment else { return false }
        return reference.platform == nil || reference.platform == .apns || reference.platform == .any
    }
}

/// A rectangle in unit coordinates, as Apple's clipping rectangles are.
enum UnitRectangle {
    /// All four of `x`, `y`, `width` and `height`, each 0…1.
    static func isOne(_ node: JSONNode) -> Bool {
        ["x", "y", "width", "height"].allSatisfy { key in node[key].double.map { (0...1).contains($0) } == true }
    }

    /// Of one: whether nothing of the picture is in it.
    static func isEmpty(_ node: JSONNode) -> Bool {
        node["width"].double == 0 || node["height"].double == 0 || node["x"].double == 1 || node["y"].double == 1
    }
}
