import NotificationModel

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
