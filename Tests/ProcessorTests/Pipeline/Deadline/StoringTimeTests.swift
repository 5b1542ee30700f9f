import Testing

@testable import NotificationProcessor

struct StoringTimeTests {
    @Test func `the time reserved for storing is 20 ms at first, and at most a quarter of the available time`() {
        let storing = StoringTime()
        #expect(storing.reserve(of: .seconds(8)) == .milliseconds(20))
        #expect(storing.reserve(of: .milliseconds(40)) == .milliseconds(10))
        #expect(storing.reserve(of: .seconds(-1)) == .zero)
    }

    @Test func `the time reserved for storing is twice the mean storing time if the disk is slow`() {
        var storing = StoringTime()
        for _ in 0..<100 { storing.note(.milliseconds(200)) }
        let reserve = storing.reserve(of: .seconds(8))
        #expect(reserve > .milliseconds(390) && reserve <= .milliseconds(400))
        for _ in 0..<100 { storing.note(.milliseconds(5)) }
        #expect(storing.reserve(of: .seconds(8)) == .milliseconds(20))
    }
}
