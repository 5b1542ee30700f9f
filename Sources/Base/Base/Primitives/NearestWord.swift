/// A search for the known word that is nearest to a misspelt word.
package enum NearestWord {
    /// The length of the longest word that is compared, in bytes. A longer word is not a typing error, and its
    /// comparison would take long.
    private static let maxLength = 128

    /// Returns the known word in which at most one letter or a third of the letters differ; otherwise `nil`.
    package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        guard word.utf8.count <= maxLength else { return nil }
        let nearest = known.map { (word: $0, distance: distance($0, word)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, word.count / 3) else { return nil }
        return nearest.word
    }

    /// Returns the nearest known word. If no known word is near, the result is a known word with which the word begins,
    /// such as `fcm` for `fcmv1`. The result may also be a known word that begins with the word.
    ///
    /// The function is for names that people choose from a list, such as commands. For keys of a payload, the function
    /// would guess too much.
    package static func related(to word: String, among known: some Sequence<String>) -> String? {
        let nearest = nearest(to: word, among: known) ?? known.first { isSlip(word, of: $0) }
        if let nearest { return nearest }
        let word = word.lowercased()
        guard word.utf8.count <= maxLength else { return nil }
        return known.filter { name in
            let name = name.lowercased()
            return (name.count >= 3 && word.hasPrefix(name)) || (word.count >= 3 && name.hasPrefix(word))
        }.max { $0.count < $1.count }
    }

    /// Returns whether a word has the letters of the known one in another order, or one wrong letter (two in a long
    /// word).
    package static func isSlip(_ word: String, of known: String) -> Bool {
        let (word, known) = (word.lowercased(), known.lowercased())
        let most = known.count >= 8 ? 2 : 1
        // Each missing or additional letter is a difference, so the lengths rule out most words.
        guard word.utf8.count <= maxLength, abs(word.unicodeScalars.count - known.unicodeScalars.count) <= most else {
            return false
        }
        return word.sorted() == known.sorted() || distance(word, known) <= most
    }

    /// Returns Levenshtein's distance: the number of letters to insert, delete or replace.
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

/// A search for the known key that was probably meant by an unknown key.
package enum KeyGuess {
    /// Returns the known key that was probably meant; `nil` if no known key is similar. The known key and the key
    /// differ only in case, hyphens and blanks (`mutableContent`), in the order of letters (`titel`), or in a few
    /// letters.
    package static func nearest(to key: String, among known: [String]) -> String? {
        let bare = bare(key)
        if !bare.isEmpty, let same = known.first(where: { Self.bare($0) == bare }) { return same }
        let letters = bare.sorted()
        if bare.count > 2, let same = known.first(where: { Self.bare($0).sorted() == letters }) { return same }
        return NearestWord.nearest(to: key, among: known) ?? NearestWord.nearest(to: key.lowercased(), among: known)
    }

    /// Returns whether a key is a misspelt known key. Its case, its separators or a few letters may differ.
    package static func isSlip(_ key: String, of known: String) -> Bool {
        NearestWord.isSlip(key, of: known) || (known.count > 3 && bare(key) == bare(known))
    }

    /// Returns only the letters and digits of a key, in lower case.
    package static func bare(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }
}
