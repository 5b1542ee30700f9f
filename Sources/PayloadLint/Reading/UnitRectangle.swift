import NotificationModel

/// A rectangle in unit coordinates, as Apple's clipping rectangles are.
enum UnitRectangle {
    /// All four of `x`, `y`, `width` and `height`, each 0…1.
    static func isOne(_ node: JSONNode) -> Bool {
        ["x", "y", "width", "height"].allSatisfy { key in node[key].double.map { (0...1).contains($0) } == true }
    }
}
