import Base

/// A reader that parses the lines of a call's body, one slice after the other.
struct WarmCallReading {
    struct Entry: Sendable {
        let line: Int
        let item: WarmItem
        let budget: Duration
        /// The lease of the item. It is released when the item has ended.
        let lease: ByteLease
    }

    /// The reason for which a slice has ended.
    enum Stop {
        /// The whole body has been read.
        case end
        /// Other work must get the processor.
        case pause
        /// The call has reached its limit of items.
        case maxItems
        /// The items of all calls have reached the memory limit.
        case noSpace
    }

    struct Slice {
        var entries: [Entry] = []
        /// The results of lines that cannot be read.
        var refusals: [JSONValue] = []
        var stop = Stop.end
    }

    /// The length of the longest line, in bytes. A longer line is refused.
    static let maxLine = 1 << 20
    /// The cost of the work between two pauses, in bytes of JSON.
    static let sliceCost = 64 << 10
    /// The minimum cost of a line, in bytes. With this cost, a slice has at most 128 lines.
    static let lineCost = 512
    /// The minimum additional cost of an item, in bytes. With this cost, a slice starts at most 4 items. Otherwise a
    /// slice could start many items if each of them ends immediately.
    static let itemCost = 16 << 10
    /// The number of copies of a string that exist at a time while it is processed.
    private static let copies = 4

    private let reader: WarmEntryReader
    private let limiter: WarmCallLimiter
    private var lines: WarmLines
    /// The cost of the lines that were read since the last pause.
    private var cost = 0
    /// The footprint of the line for which there was no room.
    private var missing = 0
    /// The lease for this line.
    private var granted: ByteLease?

    init(_ body: [UInt8], reader: WarmEntryReader, limiter: WarmCallLimiter) {
        lines = WarmLines(body)
        self.reader = reader
        self.limiter = limiter
    }

    /// Reads lines until one of the reasons in `Stop` ends the slice.
    mutating func next(maxItems: Int) -> Slice {
        var slice = Slice()
        while slice.entries.count < maxItems {
            guard cost < Self.sliceCost else {
                cost = 0
                slice.stop = .pause
                return slice
            }
            guard let line = lines.next() else { return slice }
            cost += max(line.count, 1)
            // A line that is too long is refused without a scan of its bytes.
            guard line.count > Self.maxLine || line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
            else { continue }
            cost += Self.lineCost
            do throws(WarmProblem) {
                guard let entry = try entry(of: line) else {
                    lines.unread()
                    slice.stop = .noSpace
                    return slice
                }
                slice.entries.append(entry)
                cost += Self.itemCost
            } catch {
                slice.refusals.append(WarmWire.json(problem: error.text, line: lines.number))
            }
        }
        slice.stop = .maxItems
        return slice
    }

    /// Waits for a lease for the line for which there was no room.
    mutating func waitForSpace() async { granted = await limiter.leaseWhenFree(missing) }

    /// Returns the item of a line; `nil` if there is no room for the item.
    ///
    /// - Throws: A `WarmProblem` if the line is not an item.
    private mutating func entry(of line: ArraySlice<UInt8>) throws(WarmProblem) -> Entry? {
        let place = "line \(lines.number)"
        func problem(_ text: String) -> WarmProblem { WarmProblem(place: place, text: text) }
        guard line.count <= Self.maxLine else { throw problem("the line has more than \(Self.maxLine) bytes") }
        let footprint = JSONFootprint.estimate(of: line) + (Self.copies - 1) * line.count
        guard footprint <= WarmCallLimiter.maxBytes else { throw problem("the line has too many values") }
        guard let lease = granted ?? limiter.lease(footprint) else {
            missing = footprint
            return nil
        }
        granted = nil
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: Array(line)) } catch {
            throw problem("not JSON: column \(error.column): \(error.problem)")
        }
        guard let object = value.object else { throw problem("it is \(value.typeName), not an object") }
        let (item, budget) = try reader.entry(of: object, at: place)
        return Entry(line: lines.number, item: item, budget: budget, lease: lease)
    }
}

/// The lines of the body of a call, in their order.
struct WarmLines {
    private let body: [UInt8]
    private var position = 0
    /// The position of the line that `next` returned last.
    private var start = 0
    /// The number of this line, from 1.
    private(set) var number = 0

    init(_ body: [UInt8]) { self.body = body }

    /// Returns the next line without its end; `nil` after the last line.
    mutating func next() -> ArraySlice<UInt8>? {
        guard position < body.count else { return nil }
        let end = body[position...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
        start = position
        position = min(end + 1, body.count)
        number += 1
        return body[start..<end]
    }

    /// Makes `next` return the last line again.
    mutating func unread() {
        position = start
        number -= 1
    }
}
