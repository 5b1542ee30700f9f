import NotificationModel

/// One object of a file, with the places of all that is in it.
struct LintObject {
    let object: JSONObject
    let outline: SourceOutline
    /// Strings with half of a surrogate pair in them.
    let loneSurrogates: [JSONPath]

    var byteCount: Int { outline.end - outline.start }

    /// Where a path's last step that is there begins.
    func offset(of path: JSONPath) -> Int {
        var place = outline
        for step in path.steps {
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
