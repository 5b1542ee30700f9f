/// The parts of a page of a b-tree (SQLite, "Database File Format", 1.6).
enum PageLayout {
    /// The types of pages: interior and leaf pages of indexes and of tables, with the sizes of their headers.
    private static let headerSizes: [UInt8: Int] = [2: 12, 5: 12, 10: 8, 13: 8]
    /// The header of the database file, at the start of the first page.
    private static let fileHeaderBytes = 100
    /// The place of the page with the locks of the file, which has no data.
    private static let lockByte = 0x4000_0000

    /// Returns the bytes of a page between the pointers to its cells and the first cell. SQLite does not read them, but
    /// copies of cells that were moved to other pages stay there.
    ///
    /// - Parameter number: The number of the page, from 1.
    /// - Returns: `nil` if the bytes are not a sound page of a b-tree.
    static func unused(of page: UnsafeRawBufferPointer, number: Int) -> Range<Int>? {
        let start = number == 1 ? fileHeaderBytes : 0
        guard page.count >= start + 12, let headerSize = headerSizes[page[start]] else { return nil }
        func number16(at offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
        let cellCount = number16(at: start + 3)
        let pointers = start + headerSize
        let unusedStart = pointers + 2 * cellCount
        // A page of 64 KiB without cells has the number 0.
        let content = number16(at: start + 5)
        let unusedEnd = content == 0 ? 65_536 : content
        guard unusedStart <= unusedEnd, unusedEnd <= page.count else { return nil }
        for index in 0..<cellCount {
            let cell = number16(at: pointers + 2 * index)
            guard cell >= unusedEnd, cell < page.count else { return nil }
        }
        return unusedStart..<unusedEnd
    }

    /// Returns whether a page has no b-tree: the page with the locks, and with `auto_vacuum` the pages that name the
    /// parent of each page (1.8).
    static func isMap(_ number: Int, pageSize: Int, hasMaps: Bool) -> Bool {
        let lockPage = lockByte / pageSize + 1
        if number == lockPage { return true }
        guard hasMaps, number >= 2 else { return false }
        let pagesOfMap = pageSize / 5 + 1
        var map = (number - 2) / pagesOfMap * pagesOfMap + 2
        if map == lockPage { map += 1 }
        return number == map
    }
}
