/// Finds the known word that was probably meant.
package enum NearestWord {
    /// Longer words are nobody's slip of the finger, and comparing them would take long.
    private static let longest = 128

    /// The known word from which at most a third of the letters differ, or one; `nil` where all are farther away.
    package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let nearest = known.map { (word: $0, distance: distance($0, word)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, word.count / 3) else { return nil }
        return nearest.word
    }

    /// The nearest known word, or else one that begins with the word or that the word begins with, as `fcm` for
    /// `fcmv1`.
    ///
    /// For names that people choose from a list, such as commands. For keys of a payload this would guess too much.
    package static func related(to word: String, among known: some Sequence<String>) -> String? {
        let nearest = nearest(to: word, among: known) ?? known.first { isSlip(word, of: $0) }
        if let nearest { return nearest }
        let word = word.lowercased()
        guard word.utf8.count <= longest else { return nil }
        return known.filter { name in
            let name = name.lowercased()
            return (name.count >= 3 && word.hasPrefix(name)) || (word.count >= 3 && name.hasPrefix(word))
        }.max { $0.count < $1.count }
    }

    /// Whether a word is the known one with its letters in another order, or with one wrong letter, two of a long word.
    package static func isSlip(_ word: String, of known: String) -> Bool {
        let (word, known) = (word.lowercased(), known.lowercased())
        let most = known.count >= 8 ? 2 : 1
        // Each letter too many or too few is a difference, so most words need no closer look.
        guard word.utf8.count <= longest, abs(word.unicodeScalars.count - known.unicodeScalars.count) <= most else {
            return false
        }
        return word.sorted() == known.sorted() || distance(word, known) <= most
    }

    /// Levenshtein's distance: how many letters to insert, delete or replace.
    package static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
