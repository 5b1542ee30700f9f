/// The known key that was probably meant by an unknown one.
package enum KeyGuess {
    /// Ones that differ in case, hyphens and blanks alone (`mutableContent`), in the order of their letters (`titel`), or
    /// in a few letters.
    package static func nearest(to key: String, among known: [String]) -> String? {
        let bare = bare(key)
        if !bare.isEmpty, let same = known.first(where: { Self.bare($0) == bare }) { return same }
        let letters = bare.sorted()
        if bare.count > 2, let same = known.first(where: { Self.bare($0).sorted() == letters }) { return same }
        return NearestWord.nearest(to: key, among: known) ?? NearestWord.nearest(to: key.lowercased(), among: known)
    }

    /// Whether a key is a known one with another case of letters, or other signs between them, or with a wrong letter.
    package static func isSlip(_ key: String, of known: String) -> Bool {
        NearestWord.isSlip(key, of: known) || (known.count > 3 && bare(key) == bare(known))
    }

    /// Letters and digits alone, in lower case.
    package static func bare(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }
}
