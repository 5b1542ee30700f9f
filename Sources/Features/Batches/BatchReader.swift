import Base
import NotificationModel

/// The reader of a body that arrives in pieces. It returns the lines with a request, a template or an error.
struct BatchReader {
    /// A line of a body.
    struct Entry: Sendable {
        enum Content: Sendable {
            case template(BatchTemplate)
            /// A line that may be a request. It is not parsed yet.
            case request
            case error(BatchLineError)

            var error: BatchLineError? { if case .error(let error) = self { error } else { nil } }
        }

        /// The number of the line in its body, from 1. Empty lines count.
        let number: Int
        let content: Content
        var bytes: [UInt8] = []
        /// The template of the campaign that the line belongs to; `nil` without a template.
        var template: BatchTemplate?

        /// Returns the request of the line, with the values that the call gives to all lines.
        func submission(of call: BatchCall, at arrival: ClockReading) throws(BatchLineError) -> Submission {
            if case .error(let error) = content { throw error }
            var object = try BatchLine.object(of: bytes)
            if let template { object = try template.envelope(of: object) }
            var submission = Submission(
                body: bytes, object: object, arrival: arrival, group: call.group, budget: call.budget)
            submission.permittedGroups = call.groups
            submission.mayReportReceipts = call.mayReportReceipts
            submission.trace = call.trace
            return submission
        }
    }

    private let limits: BatchLimits
    private var buffer = LineBuffer(maxLength: BatchLimits.maxLine)
    private var byteCount = 0
    private var number = 0
    /// Whether a line that is not blank has been read, so that no template can follow.
    private var hasBegun = false
    private var template: BatchTemplate?
    /// Whether the rest of the body is not read, because of the error of the last line.
    private(set) var hasEnded = false

    init(limits: BatchLimits) { self.limits = limits }

    /// Returns the lines whose ends are in the next piece.
    mutating func read(_ piece: [UInt8]) -> [Entry] {
        byteCount += piece.count
        guard byteCount <= limits.maxBytes else { return [end(by: .bodyTooLarge(most: limits.maxBytes))] }
        buffer.append(piece)
        var entries: [Entry] = []
        while !hasEnded, let line = buffer.next() {
            if let entry = entry(of: line) { entries.append(entry) }
        }
        return entries
    }

    /// Returns the line after the last end of a line, when the body has ended.
    mutating func end() -> [Entry] {
        guard !hasEnded, let line = buffer.last(), let entry = entry(of: line) else { return [] }
        return [entry]
    }

    private mutating func end(by error: BatchLineError) -> Entry {
        hasEnded = true
        return Entry(number: number + 1, content: .error(error))
    }

    /// Returns the entry of a line; `nil` for a line of white space.
    private mutating func entry(of line: LineBuffer.Line) -> Entry? {
        guard number < BatchLimits.maxLines else { return end(by: .tooMany(most: BatchLimits.maxLines)) }
        number += 1
        guard case .whole(let bytes) = line else {
            return Entry(number: number, content: .error(.tooLong(most: BatchLimits.maxLine)))
        }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        defer { hasBegun = true }
        if !hasBegun, let object = try? BatchLine.object(of: bytes), BatchTemplate.isTemplate(object) {
            do throws(BatchLineError) {
                let template = try BatchTemplate(line: object)
                self.template = template
                return Entry(number: number, content: .template(template), bytes: bytes)
            } catch {
                // The lines of a campaign have no meaning without their template.
                hasEnded = true
                return Entry(number: number, content: .error(error))
            }
        }
        return Entry(number: number, content: .request, bytes: bytes, template: template)
    }
}
