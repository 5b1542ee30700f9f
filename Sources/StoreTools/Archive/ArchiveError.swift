/// The reason why an archive is refused. No part of a refused archive is imported.
package enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case truncated
    /// - Parameter offset: The position of the block in the archive, in bytes.
    case notOurs(offset: Int)
    case bytesAfterEnd(offset: Int)
    case wrongDigest(name: String)
    case repeated(name: String)
    /// - Parameter limit: The maximum size, in bytes.
    case tooLarge(name: String, limit: Int)
    case tooMuch(limit: Int)
    case tooManyRecords(limit: Int)
    case record(name: String, problem: String)
    case missing(blob: String, record: String)
    case unused(blob: String)

    package var description: String {
        switch self {
        case .truncated: "the archive is truncated: export it again"
        case .notOurs(let offset): "the block at byte \(offset) was not written by `cache export`"
        case .bytesAfterEnd(let offset): "there are bytes after the end of the archive, at byte \(offset)"
        case .wrongDigest(let name): "the bytes of \(name) have another digest"
        case .repeated(let name): "\(name) occurs twice"
        case .tooLarge(let name, let limit): "\(name) has more than \(limit) bytes"
        case .tooMuch(let limit): "the archive has more than \(limit) bytes, the limit of the quotas"
        case .tooManyRecords(let limit): "the archive has more than \(limit) records"
        case .record(let name, let problem): "\(name) is not a valid record: \(problem)"
        case .missing(let blob, let record): "\(record) refers to \(blob), which is missing or has another size"
        case .unused(let blob): "no record refers to \(blob)"
        }
    }
}
