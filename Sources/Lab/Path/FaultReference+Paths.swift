import NotificationModel
import OriginFaults
import Primitives
import WebURL

extension FaultReference {
    /// Returns the entries of the fault that a segment misspells. The name of the fault differs from the segment in at
    /// most two letters, or has the same letters in another order. For a name of up to five letters, only one letter
    /// may differ, because `sale` is not a misspelling of `page` or of `stall`.
    static func entries(misspelt segment: String) -> [Entry] {
        // A longer segment is not a typing error, and its comparison would take long.
        guard segment.utf8.count <= 16 else { return [] }
        let slips = entries.map { entry in
            let name = String(entry.name)
            let distance = NearestWord.distance(name, segment)
            let isSlip = distance <= (name.count > 5 ? 2 : 1) || name.sorted() == segment.sorted()
            return isSlip && distance > 0 ? distance : nil
        }
        guard let least = slips.compactMap(\.self).min(), let index = slips.firstIndex(of: least) else { return [] }
        return entries.filter { $0.name == entries[index].name }
    }
}

extension FaultReference.Entry {
    /// The name of the fault: the first segment of its path.
    var name: Substring { path.dropFirst().prefix { $0 != "/" } }

    /// Returns a path that a client can request for a file, which has the form of ``OriginRequestPath/filePath``.
    package func example(of file: String) -> String {
        path.replacing("…", with: OriginIndex.path(of: file).dropFirst())
            .replacing("NAME:VALUE", with: "Cache-Control:no-store")
            .replacing("URL", with: PercentEncoding.text(of: OriginIndex.path(of: file)))
            .replacing("FILE", with: PercentEncoding.text(of: file))
    }
}
