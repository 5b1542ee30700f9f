/// An editor for the movie box of an image sequence or a video. It creates files that no encoder writes.
package enum MovieBoxes {
    private static let containers: Set<String> = ["moov", "trak", "mdia", "minf", "stbl"]

    /// Returns the file with a changed movie box at its end, where the box changes no offset into the file. The old
    /// movie box becomes free space.
    ///
    /// - Parameter change: A function that returns the new body of a box. Its path is like `trak1/mdia/minf/stbl/stsd`,
    ///   and empty for the movie box. Tracks are numbered from 0.
    package static func changed(_ file: [UInt8], _ change: (_ path: String, _ body: [UInt8]) -> [UInt8]) -> [UInt8] {
        var file = file
        guard let movie = boxes(file[...]).first(where: { $0.type == "moov" }) else { return file }
        let body = rebuilt(movie.body, path: "", change)
        file.replaceSubrange(movie.body.startIndex - 4..<movie.body.startIndex, with: Array("free".utf8))
        return file + box("moov", body)
    }

    package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(8 + body.count, 4) + Array(type.utf8) + body
    }

    package static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func rebuilt(
        _ body: ArraySlice<UInt8>, path: String, _ change: (String, [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        var (made, tracks): ([UInt8], Int) = ([], 0)
        for child in boxes(body) {
            var name = child.type
            if name == "trak" {
                name += String(tracks)
                tracks += 1
            }
            let place = path.isEmpty ? name : path + "/" + name
            let isContainer = containers.contains(child.type)
            made += box(
                child.type, isContainer ? rebuilt(child.body, path: place, change) : change(place, Array(child.body)))
        }
        return change(path, made)
    }

    private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, body: ArraySlice<UInt8>)] {
        var (found, offset): ([(String, ArraySlice<UInt8>)], Int) = ([], bytes.startIndex)
        while offset + 8 <= bytes.endIndex {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard (8...bytes.endIndex - offset).contains(size) else { break }
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            found.append((type, bytes[offset + 8..<offset + size]))
            offset += size
        }
        return found
    }
}
