import JSON
import NotificationModel

/// Reads the lines of the body of a call, slice by slice.
struct WarmCallReading {
    struct Entry: Sendable {
        let line: Int
        let item: WarmItem
        let budget: Duration
        /// The room of the item. It ends with the work on the item.
        let lease: ByteLease
    }

    /// Why a slice has ended.
    enum Stop {
        /// The whole body is read.
        case end
        /// Other work is to have the processor.
        case pause
        /// The call has as many items in flight as it may have.
        case mostItems
        /// The items of all calls have taken the room.
        case noRoom
    }

    struct Slice {
        var entries: [Entry] = []
        /// Answers to lines that cannot be read.
        var refusals: [JSONValue] = []
        var stop = Stop.end
    }

    /// Bytes of a line. A larger line is refused.
    static let longestLine = 1 << 20
    /// Work between two pauses, in bytes of JSON.
    static let sliceCost = 64 << 10
    /// A line costs as much as this number of bytes at least, so that a slice has at most 128 lines.
    static let lineCost = 512
    /// An item costs as much as this number of bytes at least, since it may end at once: a slice begins at most 4 items.
    static let itemCost = 16 << 10
    /// A string is copied a few times on its way.
    private static let copies = 4

    private let reader: WarmEntryReader
    private let limiter: WarmCallLimiter
    private var lines: WarmLines
    /// The cost of what was read since the last pause.
    private var cost = 0
    /// The footprint of the line for which there was no room.
    private var missing = 0
    /// The room for this line.
    private var granted: ByteLease?

    init(_ body: [UInt8], reader: WarmEntryReader, limiter: WarmCallLimiter) {
        lines = WarmLines(body)
        self.reader = reader
        self.limiter = limiter
    }

    /// Reads lines until something stops the reading.
    mutating func next(mostItems: Int) -> Slice {
        var slice = Slice()
        while slice.entries.count < mostItems {
            guard cost < Self.sliceCost else {
                cost = 0
                slice.stop = .pause
                return slice
            }
            guard let line = lines.next() else { return slice }
            cost += max(line.count, 1)
            // A line that is too long is refused without being looked through.
            guard line.count > Self.longestLine || line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
            else { continue }
            cost += Self.lineCost
            do throws(WarmProblem) {
                guard let entry = try entry(of: line) else {
                    lines.unread()
                    slice.stop = .noRoom
                    return slice
                }
                slice.entries.append(entry)
                cost += Self.itemCost
            } catch {
                slice.refusals.append(WarmWire.json(problem: error.text, line: lines.number))
            }
        }
        slice.stop = .mostItems
        return slice
    }

    /// Waits for room for the line for which there was none.
    mutating func waitForRoom() async { granted = await limiter.leaseWhenFree(missing) }

    /// - Returns: `nil` if there is no room for the item.
    /// - Throws: if the line is no item.
    private mutating func entry(of line: ArraySlice<UInt8>) throws(WarmProblem) -> Entry? {
        let place = "line \(lines.number)"
        func problem(_ text: String) -> WarmProblem { WarmProblem(place: place, text: text) }
        guard line.count <= Self.longestLine else { throw problem("the line has more than \(Self.longestLine) bytes") }
        let footprint = JSONFootprint.estimate(of: line) + (Self.copies - 1) * line.count
        guard footprint <= WarmCallLimiter.mostBytes else { throw problem("the line has too many values") }
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
