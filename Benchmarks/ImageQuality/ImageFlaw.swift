/// A flaw of a rendition.
package enum ImageFlaw: Sendable, Equatable, CustomStringConvertible {
    case size(expected: [Int], found: [Int])
    /// The mean of a field differs from that of the source by `distance` levels of 255. Fields are counted from 0, from
    /// the left and the top.
    case color(column: Int, row: Int, distance: Int)
    case opacity(column: Int, row: Int, distance: Int)
    /// In the rendition, `bits` of the source's sure frequencies (`ImageLook.sure`) have the opposite sign.
    case structure(bits: Int, of: Int)
    case alphaLost
    case alphaInvented
    case metadata([String])
    case tooManyBytes(Int, most: Int)

    /// Whether a change of tones alone can cause the flaw. This is true for `color`, and for `structure` with at most a
    /// tenth of the sure frequencies.
    var isOfTones: Bool {
        switch self {
        case .color: true
        case .structure(let bits, let sure): bits * 10 <= sure
        default: false
        }
    }

    package var description: String {
        switch self {
        case .size(let expected, let found):
            "size \(found[0])x\(found[1]) instead of \(expected[0])x\(expected[1])"
        case .color(let column, let row, let distance): "color off by \(distance) in the field \(column),\(row)"
        case .opacity(let column, let row, let distance): "opacity off by \(distance) in the field \(column),\(row)"
        case .structure(let bits, let sure): "structure: \(bits) of \(sure) frequencies have the wrong sign"
        case .alphaLost: "alpha is lost"
        case .alphaInvented: "alpha, which the source does not have"
        case .metadata(let kinds): "metadata: \(kinds.joined(separator: " "))"
        case .tooManyBytes(let bytes, let most): "\(bytes) bytes of at most \(most)"
        }
    }
}
