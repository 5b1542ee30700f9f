import Primitives
import Testing

@testable import Telemetry

@Suite final class RankedNamesTests {
    private typealias Names = RankedNames<Int>

    private var names = Names(empty: 0)
    private var now = MonotonicInstant.now

    private func use(_ name: String, times: Int = 1) {
        for _ in 0..<times { names.use(name, at: now) { $0 += 1 } }
    }

    private func pass(windows: Int = 1) { now = now + Names.window * windows }

    private var list: [String] { names.values.map(\.name) }

    /// Fills all places with names that are used three times in each window.
    private func fillPlaces() {
        for _ in 0..<3 {
            for number in 0..<Names.mostNamed { use("cdn\(number).example", times: 3) }
            pass()
        }
    }

    @Test func `a name has its own value from its second use on`() {
        use("a.example")
        #expect(list.isEmpty)
        #expect(names.others == 1)
        use("a.example")
        #expect(list == ["a.example"])
        #expect(names.values.first?.value == 1)
        #expect(names.foldedUses == 1)
    }

    @Test func `100,000 names that are used once take no place, and leave the named ones as they are`() {
        fillPlaces()
        let before = list
        #expect(before.count == Names.mostNamed)
        // In each of ten windows, ten thousand names come, while the named ones are used as before.
        for window in 0..<10 {
            for number in 0..<10_000 {
                use("\(window)-\(number).flood.example")
                if number % 200 == 0 { use("cdn\(number / 200).example", times: 3) }
            }
            pass()
        }
        use("cdn0.example")
        #expect(list == before)
        #expect(names.foldedUses == 100_000 + Names.mostNamed)
        #expect(names.others == names.foldedUses)
    }

    @Test func `a flood before all other names leaves no lasting names`() {
        for number in 0..<100_000 { use("\(number).flood.example", times: 2) }
        pass()
        for _ in 0..<(Names.mostNamed + 10) {
            for number in 0..<Names.mostNamed { use("cdn\(number).example", times: 5) }
            pass()
        }
        #expect(list.allSatisfy { $0.hasPrefix("cdn") })
    }

    @Test func `a flood that repeats its names for less than three windows takes no place`() {
        fillPlaces()
        let before = list
        for _ in 0..<2 {
            for number in 0..<1_000 { use("\(number).flood.example", times: 50) }
            for number in 0..<Names.mostNamed { use("cdn\(number).example", times: 3) }
            pass()
        }
        use("cdn0.example")
        #expect(list == before)
    }

    @Test func `a name that is used much in three windows takes the place of the least used name`() {
        fillPlaces()
        for _ in 0..<3 {
            for number in 1..<Names.mostNamed { use("cdn\(number).example", times: 3) }
            use("risen.example", times: 100)
            pass()
        }
        use("risen.example")
        #expect(list.contains("risen.example"))
        #expect(!list.contains("cdn0.example"))
        // The value begins again, and the uses before are those of the others.
        #expect(names.values.first { $0.name == "risen.example" }?.value == 1)
        #expect(list.count == Names.mostNamed)
    }

    @Test func `one name rises in each window`() {
        fillPlaces()
        for _ in 0..<3 {
            for number in 0..<10 { use("risen\(number).example", times: 100) }
            pass()
        }
        use("risen0.example")
        #expect(list.count { $0.hasPrefix("risen") } == 1)
    }

    @Test func `names that were not used for hours give way to the next lasting names`() {
        fillPlaces()
        pass(windows: 10_000)
        for _ in 0..<4 {
            use("next.example", times: 2)
            pass()
        }
        use("next.example")
        #expect(list.contains("next.example"))
        #expect(list.count == Names.mostNamed)
    }
}
