import Base
import NotificationModel

/// The limits of batches.
package struct BatchLimits: Sendable {
    /// The maximum number of lines.
    package static let maxLines = 100_000
    /// The length of the longest line, in bytes.
    package static let maxLine = 4 << 20
    /// The memory of a unit of ``BatchShares``, in bytes. A short line and its result take about 30 KB until the result is
    /// written, and the allocator keeps as much again.
    static let unit = 64 << 10
    /// The number of units of all callers together: 8 MiB.
    package static let units = 128
    /// The number of copies of a line that exist at a time while it is processed.
    private static let copies = 4

    /// The maximum size of a body, in bytes (`batches.maxBytes`).
    package var maxBytes: Int

    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The number of bytes of a result beside those of its line and template: verdicts, media, and the members of a result.
    private static let resultBytes = 4 << 10

    /// Returns the number of bytes that are reserved for the result of a line.
    static func reservation(for line: [UInt8], of template: SharedTemplate?) -> Int {
        resultBytes + line.count + (template?.bytes.count ?? 0)
    }

    /// Returns the memory of the values of a line, and of its copies while it is processed.
    static func footprint(of line: [UInt8]) -> Int { JSONFootprint.estimate(of: line[...]) + (copies - 1) * line.count }

    /// Returns the number of units for a line.
    ///
    /// - Parameter template: The memory of the template, of which each recipient has a copy.
    /// - Parameter most: The number of units that a caller can have. A line that needs more is processed alone.
    /// - Returns: `nil` if the values of the line take far more memory than its bytes.
    static func units(of line: [UInt8], with template: Int, most: Int) -> Int? {
        let footprint = footprint(of: line)
        guard footprint <= max(most * unit, maxLine * copies) else { return nil }
        return max(1, min((footprint + template + unit - 1) / unit, most))
    }
}

/// The lines of bodies and of results.
enum BatchLine {
    /// Returns the object in a line of a body.
    static func object(of line: [UInt8]) throws(BatchLineError) -> JSONObject {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: line) } catch { throw .notJSON(error) }
        guard let object = value.object else { throw .notObject(value.typeName) }
        return object
    }

    /// Returns a line of results: the members of a JSON object after the number of its line in the body.
    static func result(_ number: Int, _ object: [UInt8]) -> [UInt8] {
        var line = Array("{\"line\":\(number)".utf8)
        line.reserveCapacity(line.count + object.count + 1)
        line.append(UInt8(ascii: object.count > 2 ? "," : "}"))
        if object.count > 2 { line += object.dropFirst() }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Returns the number of the line of a result; `nil` if the bytes are no result.
    static func number(ofResult line: [UInt8]) -> Int? {
        let prefix = Array("{\"line\":".utf8)
        guard line.starts(with: prefix) else { return nil }
        let digits = line[prefix.count...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Returns the result of an erased line with spaces after it; `nil` if the number of bytes is too small.
    static func erased(_ number: Int, byteCount: Int) -> [UInt8]? {
        let bytes = JSONWriter.bytes(of: ["line": .number(number), "erased": true])
        guard bytes.count <= byteCount else { return nil }
        return bytes + Array(repeating: UInt8(ascii: " "), count: byteCount - bytes.count)
    }
}
