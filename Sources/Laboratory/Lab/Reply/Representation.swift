import Base
import Glibc
import NIOCore
package import NIOHTTP1

/// A file as it is served at one time: its bytes in their coding, and the headers that describe them.
package struct Representation: Sendable {
    /// The size of the largest file that is encoded, in bytes, because encoding needs the whole file in memory.
    package static let largestEncoded = 16 << 20

    package private(set) var fields: HTTPHeaders
    package private(set) var body: ReplyBody

    package init(_ file: ServedFile) {
        body = .file(file)
        fields = [
            "Content-Type": file.contentType, "ETag": file.entityTag,
            "Last-Modified": HTTPDate.text(unixTime: file.lastModified), "Accept-Ranges": "bytes",
        ]
    }

    /// Changes the representation as if the file was overwritten: it has other bytes, another tag, and a date one
    /// second later.
    package mutating func change(_ file: ServedFile) {
        body = body.changed
        extendTag(by: "changed")
        fields.replaceOrAdd(name: "Last-Modified", value: HTTPDate.text(unixTime: file.lastModified + 1))
    }

    package mutating func encode(as coding: ContentCoding) throws(FileRefusal) {
        guard body.count <= Self.largestEncoded else { throw .tooLargeToEncode(limit: Self.largestEncoded) }
        let plain = body.count > 0 ? body.read(at: 0, limit: body.count) : ByteBuffer()
        guard let plain else { throw .unreadable(errno: EIO) }
        body = .bytes(ByteBuffer(bytes: coding.encode(Array(buffer: plain))))
        // Other bytes need another strong validator (RFC 9110, section 8.8.3.3).
        extendTag(by: coding.rawValue)
        fields.replaceOrAdd(name: "Content-Encoding", value: coding.rawValue)
        fields.replaceOrAdd(name: "Vary", value: "Accept-Encoding")
    }

    /// Returns the reply to a request whose conditions have the given outcome.
    package func reply(_ outcome: RequestConditions.Outcome) -> Reply {
        switch outcome {
        case .whole: return Reply(status: .ok, fields: fields, body: body)
        case .part(let range):
            var reply = Reply(status: .partialContent, fields: fields, body: body.part(range))
            reply.fields.add(
                name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
            return reply
        case .notModified: return Reply(status: .notModified, fields: fields, body: .empty)
        case .preconditionFailed:
            return .page(.preconditionFailed, "The file is not the one that the request is for.")
        case .unsatisfiableRange:
            var reply = Reply.page(.rangeNotSatisfiable, "The file has \(body.count) bytes.")
            reply.fields.add(name: "Content-Range", value: "bytes */\(body.count)")
            return reply
        }
    }

    private mutating func extendTag(by suffix: String) {
        guard let tag = fields.first(name: "ETag") else { return }
        fields.replaceOrAdd(name: "ETag", value: "\(tag.dropLast())-\(suffix)\"")
    }
}
